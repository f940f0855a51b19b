#include "agent/agent.h"
#include "agent/allobservers.h"
#include "host/secret.h"

/* One that agents may see, and the JVM's own recordings do not have. */
#define INTERNAL "jdk.boot.class.path.append"

static void tell_one(const struct agent *agent, struct batch *batch, const char *key)
{
	struct buf name = { 0 }, text = { 0 }, clean = { 0 };

	if (!jvm_add_property(&text, &agent->jvm, key))
		return;
	jvm_add_text(&name, key);
	secret_add_value(&clean, buf_as_str(&name), buf_as_str(&text),
			 agent->orders.redact);
	batch_begin(batch, EVENT_INITIAL_SYSTEM_PROPERTY);
	encode_long(&batch->buf, batch->now);
	encode_string(&batch->buf, buf_as_str(&name));
	encode_string(&batch->buf, buf_as_str(&clean));
	batch_end(batch);
	buf_clear(&name);
	buf_clear(&text);
	buf_clear(&clean);
}

/* The JVM keeps those that it was started with; what Java sets later is not in them. */
static void tell_properties(struct recorder *recorder, struct batch *batch)
{
	const struct agent *agent = agent_of(recorder);
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	char **keys;
	jint count;

	if ((*jvmti)->GetSystemProperties(jvmti, &count, &keys) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++) {
		if (strcmp(keys[i], INTERNAL) != 0)
			tell_one(agent, batch, keys[i]);
		jvm_free(&agent->jvm, keys[i]);
	}
	jvm_free(&agent->jvm, keys);
}

const struct observer properties_observer = {
	.name = "system properties",
	.periodic = (const struct periodic[]){
		{ EVENT_INITIAL_SYSTEM_PROPERTY, tell_properties },
		{ 0 },
	},
};
