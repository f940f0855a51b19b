/*
 * log.h - the agent's own log: a file "agent.log" in the repository, or in its own folder
 * if it was attached, made when there is something to say. Nothing of ours ever goes to the application's output.
 *
 * Any thread; not for signal handlers. It stops after LOG_LINES lines.
 */
#ifndef AGENT_LOG_H
#define AGENT_LOG_H

#include <stdbool.h>

#define LOG_LINES 1000

/*
 * From here on lines go to a file in that folder, which has none of them so far. Before,
 * and without memory (false), they go nowhere.
 */
bool log_open(const char *folder);

/* They go nowhere any more. */
void log_close(void);

/*
 * One line; the time goes before it. Control characters become "?", what is longer than
 * a line of 1 KB is cut; if the file cannot be written there is nobody to tell.
 */
void log_line(const char *text);
void log_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
