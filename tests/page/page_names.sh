#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names in pages are shortened by meaning: first the arguments of templates, then those of functions, then the end; a
# mark shows it. A bar has as much of its name as fits, or nothing if that is fewer than three letters. Large numbers
# have commas.
for tool in esbuild node; do
	command -v $tool >/dev/null || { echo "skipped: no $tool on this machine"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/names.ts" <<END
import { format } from '$HEDDLE_SOURCE/html/src/format';
import { nameIn } from '$HEDDLE_SOURCE/html/src/timeline_draw';
import { shortName } from '$HEDDLE_SOURCE/html/src/short_name';
const names: [string, number][] = [
	['short', 9], ['std::sort<iterator<int*, vector<int> > >(int*, int*)', 30], ['std::sort<iterator<int> >(int*, int*)', 16],
	['void f(int, std::vector<a>)', 12], ['operator<<(std::ostream&)', 12], ['a->b<cccccc>', 8], ['(anonymous namespace)::f', 10], ['(anonymous namespace)::leaf', 6], ['(anonymous namespace)::leaf', 4],
	['void outer::inner::run(std::vector<a>, int)', 10],
	['std::operator< <char, std::char_traits<char> >', 24], ['main()::{lambda(int, double)#1}::operator()(int, double) const', 40],
	['omp implicit barrier @cg.upc:110', 24], ['upc memget @cg.upc:64', 18], ['omp for @cg.upc:84', 12], ['upc_forall @cg.upc:188', 16],
];
for (const [name, room] of names) console.log(shortName(name, room));
const context = { measureText: (text: string) => ({ width: 7 * text.length }) } as unknown as CanvasRenderingContext2D;
const bars: [string, number][] = [
	['f', 7], ['map', 21], ['main', 27], ['main', 28], ['compute', 27], ['compute', 28], ['__introsort', 34], ['__introsort', 42], ['std::sort<int>(int)', 300],
	['std::vector<int>::begin', 35], ['std::vector<int>::begin', 42],
];
for (const [name, width] of bars) console.log(\`<\${nameIn(context, name, width)}>\`);
for (const ns of [27226.5e9, 999.6e9, 999e9]) console.log(format(ns, 'ns'));
END
cat >"$work/wanted" <<'END'
short
std::sort<…>(int*, int*)
std::sort<…>(…)
void f(…)
operator<<(…
a->b<…>
…::f
…leaf
lea…
…::run(…)
std::operator< <…>
…::operator()(…) const
omp implici… @cg.upc:110
upc me… @cg.upc:64
omp for…
upc… @cg.upc:188
<f>
<map>
<>
<main>
<>
<com…>
<>
<__int…>
<std::sort<int>(int)>
<begi…>
<…begin>
27,226 s
1,000 s
999 s
END
esbuild "$work/names.ts" --bundle --log-level=error --outfile="$work/names.js" && node "$work/names.js" >"$work/got" &&
	diff "$work/wanted" "$work/got"
