#include "jvms/answer.h"

#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "control/doorcode.h"

static bool take_int(struct str text, int *number)
{
	int64_t wide;

	if (!number_java(text, &wide) || wide < INT32_MIN || wide > INT32_MAX)
		return false;
	*number = (int)wide;
	return true;
}

bool answer_parse(struct str answer, int *code, struct str *text)
{
	struct str line;

	if (!answer.size || !memchr(answer.bytes, '\n', answer.size) ||
	    !str_split(&answer, '\n', &line) || !take_int(line, code))
		return false;
	*text = answer;
	return true;
}

/* "2", and words for what it can do beside. */
int answer_version(int code, struct str text)
{
	struct str line, word;
	int version;

	if (code != 0 || !str_split(&text, '\n', &line) ||
	    !str_split(&line, ' ', &word) || !take_int(word, &version) || version < 1)
		return 1;
	return version;
}

static bool has(struct str text, const char *part)
{
	return text.size && memmem(text.bytes, text.size, part, strlen(part));
}

/* What Agent_OnAttach returned: "return code: 0", and "0" before JDK 9. */
static bool take_returned(struct str line, int *number)
{
	struct str start = STR("return code: ");

	if (str_starts(line, start)) {
		line.bytes += start.size;
		line.size -= start.size;
	}
	return take_int(str_trim(line), number);
}

static enum answer_load tell_returned(pid_t pid, int number, struct err *err)
{
	if (number == 0)
		return ANSWER_LOADED;
	doorcode_tell(number, err);
	if (err)
		err->kind = ERR_SYSTEM;
	err_within(err, "the agent in process %d", (int)pid);
	return ANSWER_REFUSED;
}

/* "PATH was not loaded.", and on the next line why. */
static enum answer_load tell_not_loaded(pid_t pid, struct str text, struct err *err)
{
	struct str rest = text, line, last = STR("");

	while (str_split(&rest, '\n', &line)) {
		if (str_trim(line).size)
			last = str_trim(line);
	}
	if (last.size)
		err_set(err, ERR_SYSTEM, "process %d cannot load the agent: %.*s",
			(int)pid, (int)(last.size < 300 ? last.size : 300), last.bytes);
	else
		err_set(err, ERR_SYSTEM, "process %d cannot load the agent, and does not "
			"say why", (int)pid);
	return ANSWER_NOT_LOADED;
}

enum answer_load answer_of_load(pid_t pid, int code, struct str text, struct err *err)
{
	struct str rest = text, line;
	int number;

	if (code == 0 && str_split(&rest, '\n', &line) && take_returned(line, &number))
		return tell_returned(pid, number, err);
	if (has(text, "Dynamic agent loading is not enabled")) {
		err_set(err, ERR_SYSTEM, "process %d takes no agents while it runs: start "
			"its JVM with -XX:+EnableDynamicAgentLoading, or record it from "
			"its start: cjfr record -- java ...", (int)pid);
		return ANSWER_REFUSED;
	}
	return tell_not_loaded(pid, text, err);
}
