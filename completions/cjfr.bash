# Completion for bash. The program itself says what may stand there; where it says
# nothing, there may be a file. The name of this file is that of the program.

_cjfr()
{
	local -a words=()
	local i word place=0 quote= front=

	# Bash takes words apart at "=" and ":", the program does not.
	for ((i = 1; i < ${#COMP_WORDS[@]}; i++)); do
		word=${COMP_WORDS[i]}
		if ((${#words[@]})) && [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == [=:]* ]]; then
			words[${#words[@]} - 1]+=$word
		else
			words+=("$word")
		fi
		((i == COMP_CWORD)) && place=${#words[@]}
	done
	((place)) || return
	[[ ${words[place - 1]} == [\'\"]* ]] && quote=1
	for i in "${!words[@]}"; do
		word=${words[i]//\\/}
		[[ $word == [\'\"]* ]] && word=${word:1} && word=${word%[\'\"]}
		words[i]=${word/#'~/'/"$HOME/"}
	done
	word=${words[place - 1]}
	# What bash has taken off the front is not wanted back.
	[[ $COMP_WORDBREAKS == *=* && $word == *=* ]] && front=${word%"${word##*=}"}

	mapfile -t COMPREPLY < <("$1" --complete "$place" "${words[@]}" 2>/dev/null)
	COMPREPLY=("${COMPREPLY[@]#"$front"}")
	for i in "${!COMPREPLY[@]}"; do
		[[ $quote || ${COMPREPLY[i]} != *[!-A-Za-z0-9_.,=#+]* ]] ||
			printf -v "COMPREPLY[i]" %q "${COMPREPLY[i]}"
	done
	[[ ${COMPREPLY[0]-} == *[=#] ]] && compopt -o nospace 2>/dev/null
}

_cjfr_name=${BASH_SOURCE[0]##*/}
complete -o default -F _cjfr "${_cjfr_name%.bash}"
unset _cjfr_name
