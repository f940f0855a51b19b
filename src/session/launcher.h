/*
 * launcher.h - how a command is started so that its JVMs load the agent.
 *
 *	java -Xmx1g Main	becomes  java -agentpath:AGENT=ORDERS -Xmx1g Main
 *	mvn verify		gets     JAVA_TOOL_OPTIONS=-agentpath:AGENT=ORDERS
 *
 * In front of all options of java, because what is behind the main class belongs to the
 * program, and no "@file" or JDK_JAVA_OPTIONS can hide where that is.
 */
#ifndef SESSION_LAUNCHER_H
#define SESSION_LAUNCHER_H

#include <stdbool.h>

#include "base/err.h"

struct launcher {
	bool is_java;		/* the command is a JVM, which loads the agent itself */
	const char *archiving;	/* its option with which it loads none; NULL */
	char **arguments;	/* of the command; end with NULL */
	char **environment;
	/* Made for them, to be freed. */
	char *option, *variable;
};

/* The command is called java, wherever it lies. */
bool launcher_is_java(const char *command);

/*
 * The agent's library: $CJFR_AGENT, or beside the program (also in .libs), or where it
 * is installed. An absolute path, to be freed. ERR_SYSTEM tells where it was looked
 * for.
 */
char *launcher_find_agent(struct err *err);

/* The file of a command, found as a shell finds it; to be freed. NULL: none. */
char *launcher_find_command(const char *name);

/*
 * False, with ERR_USAGE, if the agent is no library, one that is no agent, or one that the
 * program cannot load: another processor, another C library. What cannot be told, as of scripts, or
 * if program is NULL, is no error.
 */
bool launcher_check(const char *program, const char *agent, struct err *err);

/* Borrows the command and the environment. ERR_MEMORY; ERR_USAGE if no JVM takes it. */
bool launcher_init(struct launcher *launcher, char **command, char **environment,
		   const char *agent, const char *orders, struct err *err);

void launcher_clear(struct launcher *launcher);

/*
 * One option as it stands in JAVA_TOOL_OPTIONS, where blanks part options: in quotes
 * if it must be. To be freed; NULL without memory.
 */
char *launcher_quote(const char *option);

#endif
