// SPDX-License-Identifier: BSD-3-Clause
// The meaning of colours, shown wherever they have one.

export function Legend({ label, colors }: { label: string; colors: [string, string][] }) {
	return (
		<p class="legend">
			<small>{label}:</small>
			{colors.map(([name, color]) => (
				<span>
					<i style={{ background: color }} /> {name}
				</span>
			))}
		</p>
	);
}
