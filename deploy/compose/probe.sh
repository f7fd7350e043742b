#!/bin/bash
# probe PORT PATH: succeeds when HTTP on this container answers 200. There is no curl in these images, and a Node process for
# each look would take more processor than an idle service.
set -euo pipefail
exec 3<>"/dev/tcp/127.0.0.1/$1"
printf 'GET %s HTTP/1.0\r\nhost: 127.0.0.1\r\n\r\n' "$2" >&3
read -r -t 3 _ status _ <&3
[ "${status%$'\r'}" = 200 ]
