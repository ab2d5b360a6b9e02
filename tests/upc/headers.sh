#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every header of C and POSIX compiles in UPC, before upc.h and after it, for each standard.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
cd "$work"
for header in assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg \
	stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype aio \
	arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary mqueue net/if \
	netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched search semaphore spawn strings sys/ipc \
	sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat sys/statvfs sys/time sys/times \
	sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios unistd utime utmpx wordexp omp immintrin \
	getopt execinfo err malloc sys/epoll; do
	printf '#if __has_include(<%s.h>)\n#include <%s.h>\n#endif\n' $header $header
done >plain
# shellcheck disable=SC2094 # the header upc is not the file upc
for header in upc upc_collective upc_atomic upc_nb upc_tick upc_castable upc_types upc_strict upc_relaxed; do
	printf '#include <%s.h>\n' $header
done >upc
echo 'shared int x[THREADS]; int main(void) { x[MYTHREAD] = 1; upc_barrier; return x[MYTHREAD] != 1; }' >program
cat plain upc program >before.upc
cat upc plain program >after.upc
for options in -D_GNU_SOURCE -std=c99 "-std=gnu17 -D_POSIX_C_SOURCE=200809L -fupc-threads=2"; do
	for order in before after; do
		# shellcheck disable=SC2086
		"$upcc" $options -c $order.upc || { echo "headers $order upc.h, $options"; exit 1; }
	done
done
"$upcc" before.o -o program-of-all && UPC_THREADS=2 timeout 60 ./program-of-all
# Each of UPC's alone, also where restrict is a name.
while read -r line; do
	echo "$line" >alone.upc
	for standard in gnu17 gnu89 c89; do
		"$upcc" -std=$standard -Wall -Werror -c alone.upc || { echo "alone: $line, $standard"; exit 1; }
	done
done <upc

# Berkeley UPC's extensions come when they are needed; the user's functions of these names stay. What is not there is
# said once, and nothing that follows from it.
echo '#include <bupc_extensions.h>' >alone.upc
for standard in gnu17 gnu89 c89; do
	"$upcc" -std=$standard -Wall -Werror -c alone.upc || { echo "alone: bupc_extensions.h, $standard"; exit 1; }
done
cat >own.upc <<'END'
#include <upc.h>
static int bupc_ticks_now(void) { return 5; }
#define BUPC_TICK_MAX 7
int main(void) { return bupc_ticks_now() != 5 || BUPC_TICK_MAX != 7; }
END
"$upcc" -Wall -Werror own.upc -o own && ./own || { echo "a function of its own, named as an extension"; exit 1; }
cat >extended.upc <<'END'
#include <upc.h>
int main(void)
{
	bupc_tick_t t = bupc_ticks_now();
	char text[BUPC_DUMP_MIN_LENGTH];
	return t == 0 || bupc_dump_shared(upc_alloc(1), text, sizeof text);
}
END
"$upcc" -Wall -Werror extended.upc -o extended && ./extended || { echo "extensions without their header"; exit 1; }
cat >missing.upc <<'END'
#include <upc.h>
int main(void)
{
	bupc_sem_t *s = bupc_sem_alloc(0);
	bupc_sem_post(s);
	bupc_sem_post(s);
	return 0;
}
END
! "$upcc" missing.upc 2>messages && [ "$(grep -c 'error: ' messages)" = 1 ] &&
	grep -q "missing.upc:4:2: error: 'bupc_sem_t' is an extension of Berkeley UPC that is not there" messages ||
	{ cat messages; echo "an extension that is missing"; exit 1; }
for header in upc_io bupc_collectivev; do
	printf '#include <upc.h>\n#include <%s.h>\nint main(void) { return unknown(); }\n' $header >missing.upc
	! "$upcc" missing.upc 2>messages && [ "$(grep -c 'error: ' messages)" = 1 ] &&
		grep -q "error: $header.h: .* here: " messages || { cat messages; echo "$header.h"; exit 1; }
done

# UPC in headers that clang calls the system's: below folders that the user names, as an installed upc_cache.h is.
mkdir -p system/mine
echo '#include <stdio.h>
shared int in_system[THREADS];' >system/mine/lib.h
printf '#include <mine/lib.h>\nint main(void) { return in_system[MYTHREAD]; }\n' >user.upc
printf '#include <lib.h>\nint main(void) { return in_system[MYTHREAD]; }\n' >direct.upc
for options in "-isystem system" -isystemsystem/ "-idirafter system" "-isystem $PWD/system"; do
	# shellcheck disable=SC2086
	"$upcc" -c user.upc $options || { echo "UPC in a header: $options"; exit 1; }
done
C_INCLUDE_PATH=$PWD/other:$PWD/system "$upcc" -c user.upc || { echo "UPC in a header: C_INCLUDE_PATH"; exit 1; }
"$upcc" -c direct.upc -isystem system/mine -Isystem/mine || { echo "UPC in a header: -isystem before -I"; exit 1; }
# Plain C stays plain C, also in folders that are named again.
"$upcc" -c before.upc -I/usr/include -I/usr/local/include || { echo "headers of C, named"; exit 1; }
