#include "jfr/eventtypes.h"

#include <string.h>

#include "jfr/compile.h"
#include "jfr/writer.h"

#define STRING "java.lang.String"
#define THREAD_TYPE "java.lang.Thread"
#define CLASS_TYPE "java.lang.Class"
#define EVENT_TYPE "jdk.jfr.Event"
#define ANNOTATION "java.lang.annotation.Annotation"
#define SETTING_TYPE "jdk.jfr.SettingControl"
#define SYMBOL_TYPE "jdk.types.Symbol"
#define STACK_TRACE_TYPE "jdk.types.StackTrace"
#define METHOD_TYPE "jdk.types.Method"
#define GC_NAME_TYPE "jdk.types.GCName"

/* Annotations, in the order of the JDK: category, meaning, label, description. */
#define LABEL(text_) NOTE("jdk.jfr.Label", text_)
#define ABOUT(text_) NOTE("jdk.jfr.Description", text_)
#define IN(first_) NOTE_OF("jdk.jfr.Category", MEMBER("value-0", first_))
#define IN_2(first_, second_)                                                  \
	NOTE_OF("jdk.jfr.Category", MEMBER("value-0", first_),                 \
		MEMBER("value-1", second_))
#define IN_GC(third_)                                                          \
	NOTE_OF("jdk.jfr.Category", MEMBER("value-0", "Java Virtual Machine"), \
		MEMBER("value-1", "GC"), MEMBER("value-2", third_))
#define UNSIGNED MARK("jdk.jfr.Unsigned")
#define BYTES NOTE("jdk.jfr.DataAmount", "BYTES")
#define ADDRESS MARK("jdk.jfr.MemoryAddress")
#define SHARE MARK("jdk.jfr.Percentage")
#define MILLIS NOTE("jdk.jfr.Timespan", "MILLISECONDS")
#define MILLIS_SINCE_EPOCH NOTE("jdk.jfr.Timestamp", "MILLISECONDS_SINCE_EPOCH")
#define TICK_SPAN NOTE("jdk.jfr.Timespan", "TICKS")
#define NANOS NOTE("jdk.jfr.Timespan", "NANOSECONDS")
#define OF_GC MARK("jdk.types.GcId")
#define CONTEXTUAL MARK("jdk.jfr.Contextual")

/* A field with a label and nothing else to say. */
#define PLAIN(name_, type_, label_) FIELD(name_, type_, NOTES(LABEL(label_)))
#define KEY(name_, type_, label_) FIELD(name_, type_, POOLED, NOTES(LABEL(label_)))

/* The fields that come first, in this order, in those types that have them. */
#define START                                                                  \
	FIELD("startTime", "long",                                             \
	      NOTES(LABEL("Start Time"), NOTE("jdk.jfr.Timestamp", "TICKS")))
#define DURATION                                                               \
	FIELD("duration", "long", NOTES(LABEL("Duration"), TICK_SPAN))
#define EVENT_THREAD                                                           \
	FIELD("eventThread", THREAD_TYPE, POOLED,                              \
	      NOTES(LABEL("Event Thread"), ABOUT("The thread that it happened in")))
#define EVENT_STACK                                                            \
	FIELD("stackTrace", STACK_TRACE_TYPE, POOLED,                          \
	      NOTES(LABEL("Stack Trace"),                                      \
		    ABOUT("The methods that led to the event, innermost first")))

#define SAMPLE_FIELDS                                                          \
	FIELDS(START, KEY("sampledThread", THREAD_TYPE, "Thread"),             \
	       KEY("stackTrace", STACK_TRACE_TYPE, "Stack Trace"),             \
	       KEY("state", "jdk.types.ThreadState", "Thread State"))
#define IN_PROFILING IN_2("Java Virtual Machine", "Profiling")
#define IN_METHOD_TRACING IN_2("Java Virtual Machine", "Method Tracing")
#define COUNT_OF(name_, label_, about_)                                        \
	FIELD(name_, "long", NOTES(UNSIGNED, LABEL(label_), ABOUT(about_)))
#define COST_OF(name_, label_, about_)                                         \
	FIELD(name_, "long", NOTES(NANOS, LABEL(label_), ABOUT(about_)))

/* In the order of sampler/tally.h, then what it cost besides. */
#define SAMPLER_NUMBERS                                                        \
	COUNT_OF("ticks", "Ticks", "Signals of timers that came"),             \
	COUNT_OF("javaSamples", "Java Samples", "Taken in Java code"),         \
	COUNT_OF("nativeSamples", "Native Samples",                            \
		 "Taken in native methods, or of threads that wait"),          \
	COUNT_OF("otherThreads", "Other Threads",                              \
		 "Ticks of threads that are not Java's"),                      \
	COUNT_OF("unwanted", "Unwanted",                                       \
		 "Samples of which fewer, or none, are wanted"),               \
	COUNT_OF("dropped", "Dropped",                                         \
		 "Nobody was free to take the sample, or no buffer was"),      \
	COUNT_OF("noJavaFrame", "No Java Frame",                               \
		 "The thread had no Java code on its stack"),                  \
	COUNT_OF("noClassEvents", "No Class Events",                           \
		 "The JVM did not tell of classes yet"),                       \
	COUNT_OF("gcActive", "GC Active", "Memory was being collected"),       \
	COUNT_OF("unknownNotJava", "Unknown, Not Java",                        \
		 "In the JVM or native code, without a way back to Java"),     \
	COUNT_OF("notWalkableNotJava", "Not Walkable, Not Java",               \
		 "In the JVM or native code, with a stack in motion"),         \
	COUNT_OF("unknownJava", "Unknown Java",                                \
		 "In Java code, at an unknown frame"),                         \
	COUNT_OF("notWalkableJava", "Not Walkable Java",                       \
		 "In Java code, with a stack in motion"),                      \
	COUNT_OF("unknownState", "Unknown State",                              \
		 "The thread was in no known state"),                          \
	COUNT_OF("threadExit", "Thread Exit", "The thread was ending"),        \
	COUNT_OF("deoptimization", "Deoptimization",                           \
		 "A compiled frame was being given up"),                       \
	COUNT_OF("safepoint", "Safepoint",                                     \
		 "The thread was at a safepoint"),                             \
	COUNT_OF("otherFailure", "Other Failure",                              \
		 "The JVM gave a reason that is not known here"),              \
	COUNT_OF("faults", "Faults", "Memory was not there"),                  \
	COUNT_OF("retried", "Retried",                                         \
		 "Samples that only a second attempt gave"),                   \
	COUNT_OF("merged", "Merged Ticks",                                     \
		 "Ticks that the system made one with another"),               \
	COUNT_OF("missed", "Missed Ticks",                                     \
		 "The thread ended before the system looked at its timer"),    \
	COUNT_OF("untimed", "Threads without Timer",                           \
		 "The system gave no timer for them"),                         \
	COST_OF("handlerTime", "Handler Time",                                 \
		 "CPU time of the signal handler"),                            \
	COST_OF("callbackTime", "Callback Time",                               \
		 "CPU time of what the JVM called because of the sampler"),    \
	COST_OF("recorderTime", "Recorder Time",                               \
		 "CPU time of the recorder's own thread"),                     \
	COST_OF("processTime", "Process Time",                                 \
		 "CPU time of the whole process meanwhile")

_Static_assert(sizeof((struct schema_field[]){ SAMPLER_NUMBERS }) ==
		       SAMPLER_STATISTICS_NUMBERS * sizeof(struct schema_field),
	       "who writes the event counts on that");

/* Of methods that have probes. */
#define METHOD_FIELD KEY("method", METHOD_TYPE, "Method")
#define TIME_OF(name_, label_, about_)                                         \
	FIELD(name_, "long", NOTES(LABEL(label_), ABOUT(about_), TICK_SPAN))
#define SIZE_OF(name_, label_, about_)                                         \
	FIELD(name_, "int", NOTES(UNSIGNED, LABEL(label_), ABOUT(about_)))
#define SAYS(name_, label_, about_)                                            \
	FIELD(name_, "boolean", NOTES(LABEL(label_), ABOUT(about_)))

#define GC_ID_FIELD                                                            \
	FIELD("gcId", "int", NOTES(UNSIGNED, OF_GC, LABEL("GC Identifier")))

/* What can be set, with the defaults. */
#define ENABLED SETTING("enabled", "jdk.settings.Enabled", "false")
#define SETS SETTINGS(ENABLED)
#define SETS_PERIOD(period_)                                                   \
	SETTINGS(SETTING("period", "jdk.settings.Period", period_), ENABLED)
#define SETS_THRESHOLD                                                         \
	SETTINGS(SETTING("threshold", "jdk.settings.Threshold", "0 ns"), ENABLED)
#define SETS_STACK(stack_)                                                     \
	SETTINGS(SETTING("stackTrace", "jdk.settings.StackTrace", stack_), ENABLED)

#define FILTER SETTING("filter", "jdk.settings.Filter", "")
#define SETS_FILTER_PERIOD(period_)                                            \
	SETTINGS(SETTING("period", "jdk.settings.Period", period_), FILTER, ENABLED)
#define SETS_FILTER_THRESHOLD_STACK                                            \
	SETTINGS(SETTING("threshold", "jdk.settings.Threshold", "0 ns"),       \
		 SETTING("stackTrace", "jdk.settings.StackTrace", "true"),     \
		 FILTER, ENABLED)

/* Types that stand between constants and events, and are never either. */
enum {
	STACK_FRAME_ID = 60,
	VIRTUAL_SPACE_ID,
	GC_ID,
	ENABLED_ID,
	PERIOD_ID,
	THRESHOLD_ID,
	STACK_TRACE_ID,
	CATEGORY_ID,
	LABEL_ID,
	DESCRIPTION_ID,
	RELATIONAL_ID,
	CONTENT_TYPE_ID,
	BOOLEAN_FLAG_ID,
	DATA_AMOUNT_ID,
	MEMORY_ADDRESS_ID,
	PERCENTAGE_ID,
	TIMESPAN_ID,
	TIMESTAMP_ID,
	UNSIGNED_ID,
	FILTER_ID,
	CONTEXTUAL_ID,
};

/* Rows, each at the place that its number gives it. */
#define EVENT(id_, name_, ...)                                                 \
	[EVENT_##id_ - EVENT_FIRST] =                                          \
		TYPE(name_, EVENT_TYPE, .id = EVENT_##id_, __VA_ARGS__)
#define POOL(id_, name_, ...)                                                  \
	[EVENT_COUNT + POOL_##id_ - POOL_FIRST] =                              \
		TYPE(name_, NULL, .id = POOL_##id_, __VA_ARGS__)

/* A type of constants that is a single string. */
#define WORD(id_, name_, label_, field_, field_label_)                         \
	POOL(id_, name_, .is_simple = true,                                    \
	     FIELDS(PLAIN(field_, STRING, field_label_)), NOTES(LABEL(label_)))

/* An annotation type; one that says what a value is. */
#define MARKING(id_, name_, ...)                                               \
	TYPE(name_, ANNOTATION, .id = id_, __VA_ARGS__)
#define CONTENT_TYPE(id_, name_, label_, ...)                                  \
	MARKING(id_, name_, NOTES(MARK("jdk.jfr.ContentType"), LABEL(label_)), \
		__VA_ARGS__)
#define VALUE FIELDS(FIELD("value", STRING))

const struct schema_type eventtypes[] = {
	/* The recording itself. */
	EVENT(ACTIVE_RECORDING, "jdk.ActiveRecording", SETS,
	      FIELDS(START, PLAIN("id", "long", "Id"), PLAIN("name", STRING, "Name"),
		     PLAIN("destination", STRING, "Destination"),
		     PLAIN("disk", "boolean", "To Disk"),
		     FIELD("maxAge", "long", NOTES(LABEL("Max Age"), MILLIS)),
		     FIELD("flushInterval", "long",
			   NOTES(LABEL("Flush Interval"), MILLIS)),
		     FIELD("maxSize", "long", NOTES(LABEL("Max Size"), BYTES)),
		     FIELD("recordingStart", "long",
			   NOTES(LABEL("Start Time"), MILLIS_SINCE_EPOCH)),
		     FIELD("recordingDuration", "long",
			   NOTES(LABEL("Recording Duration"), MILLIS))),
	      NOTES(LABEL("Flight Recording"), IN("Flight Recorder"))),
	EVENT(ACTIVE_SETTING, "jdk.ActiveSetting", SETS,
	      FIELDS(START, PLAIN("id", "long", "Event Id"),
		     PLAIN("name", STRING, "Setting Name"),
		     PLAIN("value", STRING, "Setting Value")),
	      NOTES(LABEL("Recording Setting"), IN("Flight Recorder"))),
	EVENT(DATA_LOSS, "jdk.DataLoss", SETS,
	      FIELDS(START,
		     FIELD("amount", "long",
			   NOTES(UNSIGNED, BYTES, LABEL("Amount"),
				 ABOUT("What was lost since it was last told"))),
		     FIELD("total", "long",
			   NOTES(UNSIGNED, BYTES, LABEL("Total"),
				 ABOUT("All that this thread lost so far")))),
	      NOTES(IN("Flight Recorder"), LABEL("Data Loss"),
		    ABOUT("Events were dropped, as no buffer was free for them"))),
	EVENT(SHUTDOWN, "jdk.Shutdown", SETS_STACK("true"),
	      FIELDS(START, EVENT_THREAD, EVENT_STACK,
		     FIELD("reason", STRING,
			   NOTES(LABEL("Reason"), ABOUT("Why the JVM ends")))),
	      NOTES(IN_2("Java Virtual Machine", "Runtime"), LABEL("JVM Shutdown"),
		    ABOUT("The JVM ends"))),

	/* The JVM and the system it runs on. */
	EVENT(JVM_INFORMATION, "jdk.JVMInformation", SETS_PERIOD("endChunk"),
	      FIELDS(START, PLAIN("jvmName", STRING, "JVM Name"),
		     PLAIN("jvmVersion", STRING, "JVM Version"),
		     PLAIN("jvmArguments", STRING, "JVM Command Line Arguments"),
		     PLAIN("jvmFlags", STRING, "JVM Settings File Arguments"),
		     PLAIN("javaArguments", STRING, "Java Application Arguments"),
		     FIELD("jvmStartTime", "long",
			   NOTES(MILLIS_SINCE_EPOCH, LABEL("JVM Start Time"))),
		     PLAIN("pid", "long", "Process Identifier")),
	      NOTES(IN("Java Virtual Machine"), LABEL("JVM Information"),
		    ABOUT("Which JVM it is, and what it was started with"))),
	EVENT(OS_INFORMATION, "jdk.OSInformation", SETS_PERIOD("endChunk"),
	      FIELDS(START, PLAIN("osVersion", STRING, "OS Version")),
	      NOTES(IN("Operating System"), LABEL("OS Information"),
		    ABOUT("Which operating system the JVM runs on"))),
	EVENT(CPU_INFORMATION, "jdk.CPUInformation", SETS_PERIOD("endChunk"),
	      FIELDS(START, PLAIN("cpu", STRING, "Type"),
		     PLAIN("description", STRING, "Description"),
		     FIELD("sockets", "int", NOTES(UNSIGNED, LABEL("Sockets"))),
		     FIELD("cores", "int", NOTES(UNSIGNED, LABEL("Cores"))),
		     FIELD("hwThreads", "int",
			   NOTES(UNSIGNED, LABEL("Hardware Threads")))),
	      NOTES(IN_2("Operating System", "Processor"), LABEL("CPU Information"),
		    ABOUT("The processors of the machine"))),
	EVENT(CPU_LOAD, "jdk.CPULoad", SETS_PERIOD("everyChunk"),
	      FIELDS(START,
		     FIELD("jvmUser", "float", NOTES(SHARE, LABEL("JVM User"))),
		     FIELD("jvmSystem", "float", NOTES(SHARE, LABEL("JVM System"))),
		     FIELD("machineTotal", "float",
			   NOTES(SHARE, LABEL("Machine Total")))),
	      NOTES(IN_2("Operating System", "Processor"), LABEL("CPU Load"),
		    ABOUT("How busy the processors were: with the JVM, and in all"))),
	EVENT(THREAD_CPU_LOAD, "jdk.ThreadCPULoad", SETS_PERIOD("everyChunk"),
	      FIELDS(START, EVENT_THREAD,
		     FIELD("user", "float",
			   NOTES(SHARE, LABEL("User Mode CPU Load"),
				 ABOUT("Its time in the program, of all there was"))),
		     FIELD("system", "float",
			   NOTES(SHARE, LABEL("System Mode CPU Load"),
				 ABOUT("Its time in the kernel, of all there was")))),
	      NOTES(IN_2("Operating System", "Processor"), LABEL("Thread CPU Load"))),
	EVENT(PHYSICAL_MEMORY, "jdk.PhysicalMemory", SETS_PERIOD("everyChunk"),
	      FIELDS(START,
		     FIELD("totalSize", "long",
			   NOTES(UNSIGNED, BYTES, LABEL("Total Size"),
				 ABOUT("What the operating system has"))),
		     FIELD("usedSize", "long",
			   NOTES(UNSIGNED, BYTES, LABEL("Used Size"),
				 ABOUT("What of it is in use")))),
	      NOTES(IN_2("Operating System", "Memory"), LABEL("Physical Memory"),
		    ABOUT("The memory of the machine"))),
	EVENT(SYSTEM_PROCESS, "jdk.SystemProcess", SETS_PERIOD("endChunk"),
	      FIELDS(START, PLAIN("pid", STRING, "Process Identifier"),
		     PLAIN("commandLine", STRING, "Command Line")),
	      NOTES(IN("Operating System"), LABEL("System Process"))),
	EVENT(NATIVE_LIBRARY, "jdk.NativeLibrary", SETS_PERIOD("everyChunk"),
	      FIELDS(START, PLAIN("name", STRING, "Name"),
		     FIELD("baseAddress", "long",
			   NOTES(UNSIGNED, ADDRESS, LABEL("Base Address"),
				 ABOUT("Where it begins in memory"))),
		     FIELD("topAddress", "long",
			   NOTES(UNSIGNED, ADDRESS, LABEL("Top Address"),
				 ABOUT("Where it ends in memory, if that is known")))),
	      NOTES(IN_2("Java Virtual Machine", "Runtime"), LABEL("Native Library"),
		    ABOUT("A library that is mapped into the process"))),
	EVENT(INITIAL_SYSTEM_PROPERTY, "jdk.InitialSystemProperty",
	      SETS_PERIOD("endChunk"),
	      FIELDS(START, PLAIN("key", STRING, "Key"),
		     PLAIN("value", STRING, "Value")),
	      NOTES(IN("Java Virtual Machine"), LABEL("Initial System Property"),
		    ABOUT("A system property, as it was when the JVM started"))),
	EVENT(INITIAL_ENVIRONMENT_VARIABLE, "jdk.InitialEnvironmentVariable",
	      SETS_PERIOD("endChunk"),
	      FIELDS(START, PLAIN("key", STRING, "Key"),
		     PLAIN("value", STRING, "Value")),
	      NOTES(IN("Operating System"), LABEL("Initial Environment Variable"),
		    ABOUT("A variable of the environment, as the JVM found it"))),

	/* Threads and classes. */
	EVENT(THREAD_START, "jdk.ThreadStart", SETS_STACK("true"),
	      FIELDS(START, EVENT_THREAD, EVENT_STACK,
		     KEY("thread", THREAD_TYPE, "New Java Thread"),
		     KEY("parentThread", THREAD_TYPE, "Parent Java Thread")),
	      NOTES(IN("Java Application"), LABEL("Java Thread Start"))),
	EVENT(THREAD_END, "jdk.ThreadEnd", SETS,
	      FIELDS(START, EVENT_THREAD, KEY("thread", THREAD_TYPE, "Java Thread")),
	      NOTES(IN("Java Application"), LABEL("Java Thread End"))),
	EVENT(VIRTUAL_THREAD_START, "jdk.VirtualThreadStart", SETS_STACK("false"),
	      FIELDS(START, EVENT_THREAD, EVENT_STACK,
		     PLAIN("javaThreadId", "long", "Thread Id")),
	      NOTES(IN("Java Application"), LABEL("Virtual Thread Start"))),
	EVENT(VIRTUAL_THREAD_END, "jdk.VirtualThreadEnd", SETS,
	      FIELDS(START, EVENT_THREAD, PLAIN("javaThreadId", "long", "Thread Id")),
	      NOTES(IN("Java Application"), LABEL("Virtual Thread End"))),
	EVENT(JAVA_THREAD_STATISTICS, "jdk.JavaThreadStatistics",
	      SETS_PERIOD("everyChunk"),
	      FIELDS(START,
		     FIELD("activeCount", "long",
			   NOTES(LABEL("Active Threads"),
				 ABOUT("Threads that are alive, daemons too"))),
		     FIELD("daemonCount", "long",
			   NOTES(LABEL("Daemon Threads"),
				 ABOUT("Daemons that are alive"))),
		     FIELD("accumulatedCount", "long",
			   NOTES(LABEL("Accumulated Threads"),
				 ABOUT("Threads started since the JVM did"))),
		     FIELD("peakCount", "long",
			   NOTES(LABEL("Peak Threads"),
				 ABOUT("The most that were alive at one time")))),
	      NOTES(IN_2("Java Application", "Statistics"),
		    LABEL("Java Thread Statistics"))),
	EVENT(THREAD_DUMP, "jdk.ThreadDump", SETS_PERIOD("everyChunk"),
	      FIELDS(START, PLAIN("result", STRING, "Thread Dump")),
	      NOTES(IN_2("Java Virtual Machine", "Runtime"), LABEL("Thread Dump"))),
	EVENT(CLASS_LOADING_STATISTICS, "jdk.ClassLoadingStatistics",
	      SETS_PERIOD("everyChunk"),
	      FIELDS(START,
		     FIELD("loadedClassCount", "long",
			   NOTES(LABEL("Loaded Class Count"),
				 ABOUT("Classes loaded since the JVM started"))),
		     FIELD("unloadedClassCount", "long",
			   NOTES(LABEL("Unloaded Class Count"),
				 ABOUT("Classes unloaded since the JVM started")))),
	      NOTES(IN_2("Java Application", "Statistics"),
		    LABEL("Class Loading Statistics"))),

	/* Garbage collection. */
	EVENT(GARBAGE_COLLECTION, "jdk.GarbageCollection", SETS_THRESHOLD,
	      FIELDS(START, DURATION, EVENT_THREAD, GC_ID_FIELD,
		     FIELD("name", GC_NAME_TYPE, POOLED,
			   NOTES(LABEL("Name"), ABOUT("The collector"))),
		     FIELD("cause", "jdk.types.GCCause", POOLED,
			   NOTES(LABEL("Cause"), ABOUT("What made it collect"))),
		     FIELD("sumOfPauses", "long",
			   NOTES(UNSIGNED, TICK_SPAN, LABEL("Sum of Pauses"),
				 ABOUT("How long the application stood still"))),
		     FIELD("longestPause", "long",
			   NOTES(UNSIGNED, TICK_SPAN, LABEL("Longest Pause"),
				 ABOUT("The longest that it stood still at a time")))),
	      NOTES(IN_GC("Collector"), LABEL("Garbage Collection"),
		    ABOUT("One collection of the JVM, of any kind"))),
	EVENT(YOUNG_GARBAGE_COLLECTION, "jdk.YoungGarbageCollection", SETS_THRESHOLD,
	      FIELDS(START, DURATION, GC_ID_FIELD,
		     FIELD("tenuringThreshold", "int",
			   NOTES(UNSIGNED, LABEL("Tenuring Threshold")))),
	      NOTES(IN_GC("Collector"), LABEL("Young Garbage Collection"),
		    ABOUT("What there is to say of a young collection alone"))),
	EVENT(OLD_GARBAGE_COLLECTION, "jdk.OldGarbageCollection", SETS_THRESHOLD,
	      FIELDS(START, DURATION, GC_ID_FIELD),
	      NOTES(IN_GC("Collector"), LABEL("Old Garbage Collection"),
		    ABOUT("What there is to say of an old collection alone"))),
	EVENT(GC_PHASE_PAUSE, "jdk.GCPhasePause", SETS_THRESHOLD,
	      FIELDS(START, DURATION, EVENT_THREAD, GC_ID_FIELD,
		     PLAIN("name", STRING, "Name")),
	      NOTES(IN_GC("Phases"), LABEL("GC Phase Pause"))),
	EVENT(GC_HEAP_SUMMARY, "jdk.GCHeapSummary", SETS,
	      FIELDS(START, GC_ID_FIELD, KEY("when", "jdk.types.GCWhen", "When"),
		     PLAIN("heapSpace", "jdk.types.VirtualSpace", "Heap Space"),
		     FIELD("heapUsed", "long",
			   NOTES(UNSIGNED, BYTES, LABEL("Heap Used"),
				 ABOUT("What the objects in it take")))),
	      NOTES(IN_GC("Heap"), LABEL("Heap Summary"))),
	EVENT(GC_CONFIGURATION, "jdk.GCConfiguration", SETS_PERIOD("endChunk"),
	      FIELDS(START,
		     FIELD("youngCollector", GC_NAME_TYPE, POOLED,
			   NOTES(LABEL("Young Garbage Collector"),
				 ABOUT("Which one collects young objects"))),
		     FIELD("oldCollector", GC_NAME_TYPE, POOLED,
			   NOTES(LABEL("Old Garbage Collector"),
				 ABOUT("Which one collects old objects"))),
		     FIELD("parallelGCThreads", "int",
			   NOTES(UNSIGNED, LABEL("Parallel GC Threads"),
				 ABOUT("How many collect while all else waits"))),
		     FIELD("concurrentGCThreads", "int",
			   NOTES(UNSIGNED, LABEL("Concurrent GC Threads"),
				 ABOUT("How many collect beside the application"))),
		     FIELD("usesDynamicGCThreads", "boolean",
			   NOTES(LABEL("Uses Dynamic GC Threads"),
				 ABOUT("Their number follows what there is to do"))),
		     FIELD("isExplicitGCConcurrent", "boolean",
			   NOTES(LABEL("Concurrent Explicit GC"),
				 ABOUT("System.gc() works beside the application"))),
		     FIELD("isExplicitGCDisabled", "boolean",
			   NOTES(LABEL("Disabled Explicit GC"),
				 ABOUT("System.gc() does nothing"))),
		     FIELD("pauseTarget", "long",
			   NOTES(MILLIS, LABEL("Pause Target"),
				 ABOUT("How long pauses shall be, at most"))),
		     FIELD("gcTimeRatio", "int",
			   NOTES(UNSIGNED, LABEL("GC Time Ratio"),
				 ABOUT("Time of the application for one of collection, "
				       "as it shall be")))),
	      NOTES(IN_GC("Configuration"), LABEL("GC Configuration"),
		    ABOUT("How the collectors are set"))),
	EVENT(GC_HEAP_CONFIGURATION, "jdk.GCHeapConfiguration",
	      SETS_PERIOD("endChunk"),
	      FIELDS(START,
		     FIELD("minSize", "long",
			   NOTES(UNSIGNED, BYTES, LABEL("Minimum Heap Size"))),
		     FIELD("maxSize", "long",
			   NOTES(UNSIGNED, BYTES, LABEL("Maximum Heap Size"))),
		     FIELD("initialSize", "long",
			   NOTES(UNSIGNED, BYTES, LABEL("Initial Heap Size"))),
		     FIELD("usesCompressedOops", "boolean",
			   NOTES(LABEL("If Compressed Oops Are Used"),
				 ABOUT("References to objects take 32 bits"))),
		     FIELD("compressedOopsMode", "jdk.types.NarrowOopMode", POOLED,
			   NOTES(LABEL("Compressed Oops Mode"),
				 ABOUT("How they become addresses"))),
		     FIELD("objectAlignment", "long",
			   NOTES(UNSIGNED, BYTES, LABEL("Object Alignment"),
				 ABOUT("Objects begin at multiples of it"))),
		     FIELD("heapAddressBits", "byte",
			   NOTES(UNSIGNED, LABEL("Heap Address Size"),
				 ABOUT("How many bits an address in the heap has")))),
	      NOTES(IN_GC("Configuration"), LABEL("GC Heap Configuration"),
		    ABOUT("How the heap is set"))),

	/* What threads execute. */
	EVENT(EXECUTION_SAMPLE, "jdk.ExecutionSample", SETS_PERIOD("20 ms"),
	      SAMPLE_FIELDS,
	      NOTES(IN_PROFILING, LABEL("Java Execution Sample"),
		    ABOUT("Where a thread was in Java code"))),
	EVENT(NATIVE_METHOD_SAMPLE, "jdk.NativeMethodSample", SETS_PERIOD("20 ms"),
	      SAMPLE_FIELDS,
	      NOTES(IN_PROFILING, LABEL("Native Sample"),
		    ABOUT("Where a thread was in native code, called from Java"))),
	EVENT(SAMPLER_STATISTICS, "cjfr.SamplerStatistics", SETS_PERIOD("endChunk"),
	      FIELDS(START,
		     FIELD("mode", STRING,
			   NOTES(LABEL("Mode"), ABOUT("By which clock: cpu, wall"))),
		     COST_OF("interval", "Interval", "Between two ticks of a thread"),
		     SAMPLER_NUMBERS),
	      NOTES(IN_PROFILING, LABEL("Sampler Statistics"),
		    ABOUT("How sampling went since this was last told, "
			  "and what it cost"))),

	/* Calls of methods that have probes. */
	EVENT(METHOD_TIMING, "jdk.MethodTiming", SETS_FILTER_PERIOD("endChunk"),
	      FIELDS(START, METHOD_FIELD, PLAIN("invocations", "long", "Invocations"),
		     TIME_OF("minimum", "Minimum Time", "The shortest call"),
		     TIME_OF("average", "Average Time", "All calls together, shared out"),
		     TIME_OF("maximum", "Maximum Time", "The longest call")),
	      NOTES(LABEL("Method Timing"), IN_METHOD_TRACING,
		    ABOUT("How often a method ran, and how long, waits included"))),
	EVENT(METHOD_TRACE, "jdk.MethodTrace", SETS_FILTER_THRESHOLD_STACK,
	      FIELDS(START, DURATION, EVENT_THREAD, EVENT_STACK,
		     FIELD("method", METHOD_TYPE, POOLED,
			   NOTES(CONTEXTUAL, LABEL("Method")))),
	      NOTES(LABEL("Method Trace"), IN_METHOD_TRACING)),
	EVENT(METHOD_FILTER, "cjfr.MethodFilter", SETS_PERIOD("endChunk"),
	      FIELDS(START,
		     FIELD("eventType", STRING,
			   NOTES(LABEL("Event Type"), ABOUT("For which it selects"))),
		     FIELD("filter", STRING,
			   NOTES(LABEL("Filter"), ABOUT("One of those that were given"))),
		     COUNT_OF("methods", "Methods", "That it selected so far")),
	      NOTES(IN_METHOD_TRACING, LABEL("Method Filter"),
		    ABOUT("What a filter of methods selected"))),
	EVENT(METHOD_PROBE, "cjfr.MethodProbe", SETS_PERIOD("endChunk"),
	      FIELDS(START, METHOD_FIELD,
		     SIZE_OF("sizeBefore", "Size Before", "Bytes of its bytecode"),
		     SIZE_OF("sizeAfter", "Size After",
			     "The same with the probe; 0: it has none"),
		     SAYS("crossesMaxInlineSize", "Crosses MaxInlineSize",
			  "By the probe it is too large to be inlined where it is "
			  "not called often"),
		     SAYS("crossesFreqInlineSize", "Crosses FreqInlineSize",
			  "By the probe it is too large to be inlined where it is "
			  "called often"),
		     SAYS("crossesHugeMethodLimit", "Crosses HugeMethodLimit",
			  "By the probe it is too large to be compiled"),
		     FIELD("skipped", STRING,
			   NOTES(LABEL("Skipped"), ABOUT("Why it has no probe")))),
	      NOTES(IN_METHOD_TRACING, LABEL("Method Probe"),
		    ABOUT("A selected method that has no probe, or that the compiler "
			  "may treat otherwise because of it"))),

	/* Constants. */
	POOL(THREAD, THREAD_TYPE,
	     FIELDS(PLAIN("osName", STRING, "OS Thread Name"),
		    PLAIN("osThreadId", "long", "OS Thread Id"),
		    PLAIN("javaName", STRING, "Java Thread Name"),
		    PLAIN("javaThreadId", "long", "Java Thread Id"),
		    KEY("group", "jdk.types.ThreadGroup", "Java Thread Group"),
		    PLAIN("virtual", "boolean", "Virtual Thread")),
	     NOTES(LABEL("Thread"))),
	POOL(THREAD_GROUP, "jdk.types.ThreadGroup",
	     FIELDS(KEY("parent", "jdk.types.ThreadGroup", "Parent"),
		    PLAIN("name", STRING, "Name")),
	     NOTES(LABEL("Thread Group"))),
	POOL(CLASS, CLASS_TYPE,
	     FIELDS(KEY("classLoader", "jdk.types.ClassLoader", "Class Loader"),
		    KEY("name", SYMBOL_TYPE, "Name"),
		    KEY("package", "jdk.types.Package", "Package"),
		    PLAIN("modifiers", "int", "Access Modifiers"),
		    PLAIN("hidden", "boolean", "Hidden")),
	     NOTES(LABEL("Java Class"))),
	POOL(CLASS_LOADER, "jdk.types.ClassLoader",
	     FIELDS(KEY("type", CLASS_TYPE, "Type"), KEY("name", SYMBOL_TYPE, "Name")),
	     NOTES(LABEL("Java Class Loader"))),
	POOL(METHOD, METHOD_TYPE,
	     FIELDS(KEY("type", CLASS_TYPE, "Type"), KEY("name", SYMBOL_TYPE, "Name"),
		    KEY("descriptor", SYMBOL_TYPE, "Descriptor"),
		    PLAIN("modifiers", "int", "Access Modifiers"),
		    PLAIN("hidden", "boolean", "Hidden")),
	     NOTES(LABEL("Java Method"))),
	POOL(PACKAGE, "jdk.types.Package",
	     FIELDS(KEY("name", SYMBOL_TYPE, "Name"),
		    KEY("module", "jdk.types.Module", "Module"),
		    PLAIN("exported", "boolean", "Exported")),
	     NOTES(LABEL("Package"))),
	POOL(MODULE, "jdk.types.Module",
	     FIELDS(KEY("name", SYMBOL_TYPE, "Name"),
		    KEY("version", SYMBOL_TYPE, "Version"),
		    KEY("location", SYMBOL_TYPE, "Location"),
		    KEY("classLoader", "jdk.types.ClassLoader", "Class Loader")),
	     NOTES(LABEL("Module"))),
	WORD(SYMBOL, SYMBOL_TYPE, "Symbol", "string", "String"),
	POOL(STACK_TRACE, STACK_TRACE_TYPE,
	     FIELDS(PLAIN("truncated", "boolean", "Truncated"),
		    FIELD("frames", "jdk.types.StackFrame", ARRAY,
			  NOTES(LABEL("Stack Frames")))),
	     NOTES(LABEL("Stacktrace"))),
	WORD(FRAME_TYPE, "jdk.types.FrameType", "Frame type",
	     "description", "Description"),
	WORD(THREAD_STATE, "jdk.types.ThreadState", "Java Thread State",
	     "name", "Name"),
	WORD(GC_NAME, GC_NAME_TYPE, "GC Name", "name", "Name"),
	WORD(GC_CAUSE, "jdk.types.GCCause", "GC Cause", "cause", "Cause"),
	WORD(GC_WHEN, "jdk.types.GCWhen", "GC When", "when", "When"),
	WORD(NARROW_OOP_MODE, "jdk.types.NarrowOopMode", "Narrow Oop Mode",
	     "mode", "Mode"),
	POOL(CHUNK_HEADER, "jdk.types.ChunkHeader", .is_simple = true,
	     FIELDS(FIELD("payload", "byte", ARRAY, NOTES(LABEL("Payload")))),
	     NOTES(LABEL("Chunk Header"))),

	/* What else these are made of. */
	[EVENT_COUNT + POOL_COUNT] =
	TYPE("jdk.types.StackFrame", NULL, .id = STACK_FRAME_ID,
	     FIELDS(KEY("method", METHOD_TYPE, "Java Method"),
		    PLAIN("lineNumber", "int", "Line Number"),
		    PLAIN("bytecodeIndex", "int", "Bytecode Index"),
		    KEY("type", "jdk.types.FrameType", "Frame Type"))),
	TYPE("jdk.types.VirtualSpace", NULL, .id = VIRTUAL_SPACE_ID,
	     FIELDS(FIELD("start", "long",
			  NOTES(UNSIGNED, ADDRESS, LABEL("Start Address"),
				ABOUT("Where the space begins"))),
		    FIELD("committedEnd", "long",
			  NOTES(UNSIGNED, ADDRESS, LABEL("Committed End Address"),
				ABOUT("Where its memory ends, for now"))),
		    FIELD("committedSize", "long",
			  NOTES(UNSIGNED, BYTES, LABEL("Committed Size"),
				ABOUT("The memory that it has for now"))),
		    FIELD("reservedEnd", "long",
			  NOTES(UNSIGNED, ADDRESS, LABEL("Reserved End Address"),
				ABOUT("Where the space ends"))),
		    FIELD("reservedSize", "long",
			  NOTES(UNSIGNED, BYTES, LABEL("Reserved Size"),
				ABOUT("The memory that it can have"))))),
	MARKING(GC_ID, "jdk.types.GcId", NOTES(MARK("jdk.jfr.Relational"))),
	TYPE("jdk.settings.Enabled", SETTING_TYPE, .id = ENABLED_ID,
	     NOTES(LABEL("Enabled"), ABOUT("Record the event"),
		   MARK("jdk.jfr.BooleanFlag"))),
	TYPE("jdk.settings.Period", SETTING_TYPE, .id = PERIOD_ID,
	     NOTES(LABEL("Period"), ABOUT("How often the event is recorded"))),
	TYPE("jdk.settings.Threshold", SETTING_TYPE, .id = THRESHOLD_ID,
	     NOTES(LABEL("Threshold"), ABOUT("Shorter events are not recorded"),
		   NOTE("jdk.jfr.Timespan", "NANOSECONDS"))),
	TYPE("jdk.settings.StackTrace", SETTING_TYPE, .id = STACK_TRACE_ID,
	     NOTES(LABEL("Stack Trace"), ABOUT("Record where it happened"),
		   MARK("jdk.jfr.BooleanFlag"))),
	TYPE("jdk.settings.Filter", SETTING_TYPE, .id = FILTER_ID,
	     NOTES(LABEL("Filter"), ABOUT("Which methods"))),
	MARKING(CATEGORY_ID, "jdk.jfr.Category", FIELDS(FIELD("value", STRING, ARRAY))),
	MARKING(LABEL_ID, "jdk.jfr.Label", VALUE),
	MARKING(DESCRIPTION_ID, "jdk.jfr.Description", VALUE),
	MARKING(RELATIONAL_ID, "jdk.jfr.Relational", NOTES(LABEL("Relation"))),
	MARKING(CONTENT_TYPE_ID, "jdk.jfr.ContentType", NOTES(LABEL("Content Type"))),
	CONTENT_TYPE(BOOLEAN_FLAG_ID, "jdk.jfr.BooleanFlag", "Flag"),
	CONTENT_TYPE(DATA_AMOUNT_ID, "jdk.jfr.DataAmount", "Data Amount", VALUE),
	CONTENT_TYPE(MEMORY_ADDRESS_ID, "jdk.jfr.MemoryAddress", "Memory Address"),
	CONTENT_TYPE(PERCENTAGE_ID, "jdk.jfr.Percentage", "Percentage"),
	CONTENT_TYPE(TIMESPAN_ID, "jdk.jfr.Timespan", "Timespan", VALUE),
	CONTENT_TYPE(TIMESTAMP_ID, "jdk.jfr.Timestamp", "Timestamp", VALUE),
	CONTENT_TYPE(UNSIGNED_ID, "jdk.jfr.Unsigned", "Unsigned Value"),
	MARKING(CONTEXTUAL_ID, "jdk.jfr.Contextual", NOTES(LABEL("Context"))),
	TYPES_END,
};

const struct schema_type *eventtype_of(enum event_id id)
{
	return &eventtypes[id - EVENT_FIRST];
}

const struct schema_type *eventtype_find(struct str name)
{
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		if (str_is(name, str_of(eventtypes[i].name)))
			return &eventtypes[i];
	}
	return NULL;
}

const struct schema_setting *eventtype_setting(const struct schema_type *type,
					       struct str name)
{
	for (const struct schema_setting *at = type->settings; at && at->name; at++) {
		if (str_is(str_of(at->name), name))
			return at;
	}
	return NULL;
}

const char *eventtype_default(const struct schema_type *type, const char *setting)
{
	const struct schema_setting *found = eventtype_setting(type, str_of(setting));

	return found ? found->value : NULL;
}

/* A chunk with these types, finished, in writer->buf. */
static bool write_chunk(struct writer *writer, struct err *err)
{
	writer_describe(writer, eventtypes);
	writer_open(writer, NULL);
	return writer_close(writer, err);
}

bool eventtypes_recording(struct buf *to, struct err *err)
{
	struct writer writer = { .buf = *to };
	bool is_good = write_chunk(&writer, err);

	*to = writer.buf;
	writer.buf = (struct buf){ .bytes = NULL };
	writer_clear(&writer);
	return is_good;
}

bool eventtypes_metadata(struct metadata *metadata, struct arena *arena,
			 struct err *err)
{
	struct writer writer = { .now = 0 };
	const void *event = NULL;
	size_t at, size = 0;

	*metadata = (struct metadata){ .type_count = 0 };
	if (write_chunk(&writer, err)) {
		at = (size_t)writer.header.metadata_at;
		size = writer.buf.size - at;
		event = arena_copy(arena, writer.buf.bytes + at, size);
		if (!event)
			err_memory(err);
	}
	writer_clear(&writer);
	return event && metadata_read(metadata, event, size, arena, err) &&
	       (compile_types(metadata, arena) || err_memory(err));
}
