# shellcheck shell=bash
# The program's output: one JSON object per line with --json, plain text without. Only the main process prints, so that
# lines never mix.

json=no
stages=(check base-system "${all_images[@]/%/-image}" nodes registry slurm ready)
declare -A stage_title=(
    [check]="This machine" [base-system]="Base system" [nodes]="Nodes" [registry]="Image registry" [slurm]="Slurm" [ready]="Log in"
)
for image in "${all_images[@]}"; do stage_title[$image-image]="Image ${image_name[$image]%:*}"; done
unset image
declare -A stage_started=() stage_percent=() stage_said=()
current_stage=check

# json_text TEXT: TEXT as a JSON string. Text from logs may hold control characters: they are dropped.
json_text() {
    local text=$1
    text=${text//\\/\\\\}
    text=${text//\"/\\\"}
    text=${text//$'\n'/\\n}
    text=${text//$'\t'/\\t}
    text=${text//[$'\001'-$'\037'$'\177']/}
    printf '"%s"' "$text"
}

now_ms() { local now=$EPOCHREALTIME; echo $((${now%.*} * 1000 + 10#${now#*.} / 1000)); }

# seconds_since START_MS: like 12.3
seconds_since() {
    local ms=$(($(now_ms) - $1))
    printf '%d.%d' $((ms / 1000)) $((ms % 1000 / 100))
}

say_plan() {
    local stage list=
    if [ "$json" = yes ]; then
        for stage in "${stages[@]}"; do
            list+="${list:+,}{\"stage\":\"$stage\",\"title\":$(json_text "${stage_title[$stage]}")}"
        done
        printf '{"event":"plan","stages":[%s]}\n' "$list"
    else
        printf 'The demo cluster in %s\n' "$state_dir"
    fi
}

# say_stage STAGE STATE [DETAIL [PERCENT]]
say_stage() {
    local stage=$1 state=$2 detail=${3:-} percent=${4:-null} seconds=0.0 was=${stage_started[$1]:-}
    [ "$state" = running ] && current_stage=$stage
    [ -n "$was" ] || stage_started[$stage]=$(now_ms)
    seconds=$(seconds_since "${stage_started[$stage]}")
    [ "$state" = "done" ] && percent=100
    # A falling percentage would look like an error, so the highest value is kept.
    if [ "$percent" != null ]; then
        [ "$percent" -lt "${stage_percent[$stage]:-0}" ] && percent=${stage_percent[$stage]}
        stage_percent[$stage]=$percent
    fi
    [ "$state" != running ] || [ "${stage_said[$stage]:-}" != "$percent $detail" ] || return 0
    stage_said[$stage]="$percent $detail"
    if [ "$json" = yes ]; then
        printf '{"event":"stage","stage":"%s","title":%s,"state":"%s","percent":%s,"seconds":%s,"detail":%s}\n' \
            "$stage" "$(json_text "${stage_title[$stage]}")" "$state" "$percent" "$seconds" "$(json_text "$detail")"
        return
    fi
    case $state in
        running) [ -n "$was" ] || printf '  %-20s ...  %s\n' "${stage_title[$stage]}" "$detail" ;;
        "done") printf '  %-20s %5s s  %s\n' "${stage_title[$stage]}" "$seconds" "$detail" ;;
        skipped) printf '  %-20s   ready  %s\n' "${stage_title[$stage]}" "$detail" ;;
        failed) printf '  %-20s  FAILED after %s s\n' "${stage_title[$stage]}" "$seconds" ;;
    esac
}

# say_error STAGE SUMMARY [LOG]
say_error() {
    local stage=$1 summary=$2 log=${3:-} detail=
    if [ -n "$log" ] && [ -r "$log" ]; then
        # Programs do not always print UTF-8, which JSON requires.
        detail=$(tail -n 15 -- "$log" | cut -c 1-400 | iconv -c -f UTF-8 -t UTF-8)
    fi
    if [ "$json" = yes ]; then
        printf '{"event":"error","stage":"%s","summary":%s,"detail":%s,"log":%s}\n' \
            "$stage" "$(json_text "$summary")" "$(json_text "$detail")" "$(json_text "$log")"
        return
    fi
    printf '%s\n' "$summary" >&2
    if [ -n "$detail" ]; then
        printf 'The last lines of %s:\n%s\n' "$log" "$detail" >&2
    fi
}

# fail STAGE SUMMARY [LOG [EXIT_CODE]]: prints the error once and exits; the exit trap stops what was started.
fail() {
    say_stage "$1" failed "$2"
    say_error "$1" "$2" "${3:-}"
    exit "${4:-1}"
}
