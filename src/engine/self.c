#include "engine/self.h"

#define NANOS_PER_MILLI 1000000

/* Milliseconds; without a limit the JDK has "forever". */
static int64_t limit_of(int64_t nanos)
{
	return nanos > 0 ? nanos / NANOS_PER_MILLI : INT64_MAX;
}

static struct str or_nothing(struct str text)
{
	return text.size ? text : (struct str){ NULL, 0 };
}

static void tell_recording(struct batch *batch, const struct orders *orders,
			   int64_t start_nanos)
{
	struct buf *to = &batch->buf;

	batch_begin(batch, EVENT_ACTIVE_RECORDING);
	encode_long(to, batch->now);
	encode_long(to, 1);
	encode_string(to, orders->name.size ? orders->name : STR("1"));
	encode_string(to, or_nothing(orders->destination));
	encode_boolean(to, orders->to_disk);
	encode_long(to, limit_of(orders->max_age));
	encode_long(to, orders->flush_interval / NANOS_PER_MILLI);
	encode_long(to, orders->max_size);
	encode_long(to, start_nanos / NANOS_PER_MILLI);
	encode_long(to, limit_of(orders->duration));
	batch_end(batch);
}

/* The last that the orders say of a setting, or NULL: "jdk.CPULoad#period". */
static const struct str *ordered(const struct orders *orders, const char *type,
				 const char *name)
{
	struct str event = str_of(type), setting = str_of(name);

	for (size_t i = orders->settings.count; i-- > 0;) {
		struct str key = orders->settings.items[i].key;

		if (key.size == event.size + 1 + setting.size &&
		    str_starts(key, event) && key.bytes[event.size] == '#' &&
		    str_ends(key, setting))
			return &orders->settings.items[i].value;
	}
	return NULL;
}

/* As it was given, or as it is by default. */
static void tell_setting(struct batch *batch, const struct orders *orders,
			 const struct schema_type *type,
			 const struct schema_setting *setting)
{
	const struct str *value = ordered(orders, type->name, setting->name);

	batch_begin(batch, EVENT_ACTIVE_SETTING);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, type->id);
	encode_string(&batch->buf, str_of(setting->name));
	encode_string(&batch->buf, value ? *value : str_of(setting->value));
	batch_end(batch);
}

void self_tell(struct batch *batch, const struct orders *orders,
	       const struct event_settings *settings, int64_t start_nanos)
{
	if (event_setting_of(settings, EVENT_ACTIVE_RECORDING)->is_enabled)
		tell_recording(batch, orders, start_nanos);
	if (!event_setting_of(settings, EVENT_ACTIVE_SETTING)->is_enabled)
		return;
	for (int id = EVENT_FIRST; id < EVENT_END; id++) {
		const struct schema_type *type = eventtype_of((enum event_id)id);
		const struct schema_setting *setting = type->settings;

		for (; setting && setting->name; setting++)
			tell_setting(batch, orders, type, setting);
	}
}

void self_tell_losses(struct batch *batch, struct store *store,
		      const struct event_settings *settings)
{
	const struct lane *lane;
	uint64_t bytes, total;

	if (!event_setting_of(settings, EVENT_DATA_LOSS)->is_enabled)
		return;
	while (store_next_loss(store, &lane, &bytes, &total)) {
		batch_begin(batch, EVENT_DATA_LOSS);
		encode_long(&batch->buf, batch->now);
		encode_long(&batch->buf, (int64_t)bytes);
		encode_long(&batch->buf, (int64_t)total);
		batch_end(batch);
	}
}
