#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every header of C and POSIX compiles in UPC, before upc.h and after it, with each standard.
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
"$upcc" before.o -o program-of-all && UPC_THREADS=2 timeout "$seconds" ./program-of-all
# Each of UPC's headers alone, also where restrict is a name; GNU's keywords for C89 only with the first one.
standards="gnu17 gnu89 c89"
while read -r line; do
	echo "$line" >alone.upc
	for standard in $standards; do
		"$upcc" -std="$standard" -Wall -Werror -c alone.upc || { echo "alone: $line, $standard"; exit 1; }
	done
	standards="gnu17 c89"
done <upc

# UPC in headers that clang treats as system headers: below folders that the user names, as an installed upc_cache.h is.
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
