# Puts parts of the results of job $1 into S3. Stdin brings five fields a part, each ended by NUL: path, length of the
# whole file, offset, length of the part, and a URL that allows just this. The URLs reach curl by a pipe and stand on no
# command line. Tells a line a part: its index, then `sent` and the server's entity tag, or `refused` and why.
dir=$HOME/.brev-jobs/$1/results
if ! command -v curl >/dev/null; then
  echo 'curl is not installed'
  exit 4
fi
paths=() lengths=() offsets=() sizes=() urls=()
while IFS= read -r -d '' path && IFS= read -r -d '' length && IFS= read -r -d '' offset &&
  IFS= read -r -d '' size && IFS= read -r -d '' url; do
  paths+=("$path") lengths+=("$length") offsets+=("$offset") sizes+=("$size") urls+=("$url")
done

part() { tail -c "+$((offsets[$1] + 1))" "$2" | head -c "${sizes[$1]}"; }
# one try; sets `answer` to what is to be told, and fails where another try may help
put() {
  local file=$dir/${paths[$1]} size=${sizes[$1]} expect=() digest reply status
  if [ ! -f "$file" ] || [ -L "$file" ] || [ "$(stat -c %s "$file")" != "${lengths[$1]}" ]; then
    answer='refused it has changed'
    return 0
  fi
  # the server compares it with what arrives
  digest=$(part "$1" "$file" | md5sum | cut -d ' ' -f 1 | sed 's/../\\x&/g')
  # shellcheck disable=SC2059 # the digest is the format: \x.. for each byte
  digest=$(printf "$digest" | base64)
  # a large body waits for the server's word first, so that a refusal comes before the bytes
  [ "$size" -gt 1048576 ] || expect=(--header 'Expect:')
  # Content-Length by hand: of a pipe curl doesn't know it, and S3 takes nothing in chunks
  reply=$(part "$1" "$file" |
    curl -q --config <(printf 'url = "%s"\n' "${urls[$1]}") --globoff --http1.1 --silent --show-error --include \
      --connect-timeout 20 --speed-limit 1024 --speed-time 60 --header "Content-Length: $size" \
      --header 'Transfer-Encoding:' --header "Content-MD5: $digest" "${expect[@]}" --upload-file - \
      --write-out '\nstatus %{http_code}\n' 2>&1 | tail -c 65536 | tr -d '\r\0')
  status=${reply##*status }
  case $status in
    2??)
      answer="sent $(sed -n 's/^[Ee][Tt][Aa][Gg]: *//p' <<<"$reply" | tail -n 1)"
      ;;
    000)
      answer="refused $(sed -n 's/^curl: //p' <<<"$reply" | tail -n 1)"
      return 1
      ;;
    *)
      answer="refused HTTP $status $(sed -n 's/.*<Code>\([A-Za-z0-9.]*\)<.*/\1/p' <<<"$reply" | tail -n 1)"
      case $status in 5?? | 408 | 429) return 1 ;; esac
      ;;
  esac
  return 0
}
worker() {
  local index pause answer
  for ((index = $1; index < ${#paths[@]}; index += 4)); do
    for pause in 0.3 1 ''; do
      put "$index" && break
      [ -z "$pause" ] || sleep "$pause"
    done
    printf '%s %s\n' "$index" "$answer"
  done
}
for first in 0 1 2 3; do worker "$first" & done
wait
