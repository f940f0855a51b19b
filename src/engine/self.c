#include "engine/self.h"

#include "base/now.h"
#include "jfr/rawtext.h"

/* Milliseconds; without a limit the JDK has "forever". */
static int64_t limit_of(int64_t nanos)
{
	return nanos > 0 ? nanos / MILLISECOND : INT64_MAX;
}

static struct str or_nothing(struct str text)
{
	return text.size ? text : (struct str){ NULL, 0 };
}

static void tell_recording(struct batch *batch, const struct tape *recording)
{
	const struct orders *orders = &recording->orders;
	char room[TAPE_NAME_ROOM];
	struct buf *to = &batch->buf;

	batch_begin(batch, EVENT_ACTIVE_RECORDING);
	encode_long(to, batch->now);
	encode_long(to, (int64_t)recording->id);
	rawtext_encode(to, tape_name(recording, room));
	rawtext_encode(to, or_nothing(orders->destination));
	encode_boolean(to, orders->to_disk);
	encode_long(to, limit_of(orders->max_age));
	encode_long(to, orders->flush_interval / MILLISECOND);
	encode_long(to, orders->max_size);
	encode_long(to, recording->begun / MILLISECOND);
	encode_long(to, limit_of(orders->duration));
	batch_end(batch);
}

static void tell_setting(struct batch *batch, const struct schema_type *type,
			 const char *name, struct str value)
{
	batch_begin(batch, EVENT_ACTIVE_SETTING);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, type->id);
	encode_string(&batch->buf, str_of(name));
	rawtext_encode(&batch->buf, value);
	batch_end(batch);
}

static void tell_settings(struct batch *batch, const struct event_settings *settings,
			  enum event_id id)
{
	const struct schema_type *type = eventtype_of(id);
	const struct event_setting *of = event_setting_of(settings, id);

	for (size_t i = 0; type->settings[i].name; i++)
		tell_setting(batch, type, type->settings[i].name, of->texts[i]);
}

static void tell_recordings(struct batch *batch, const struct recordings *recordings)
{
	for (size_t i = 0; i < recordings->all.count; i++) {
		if (recordings->all.items[i]->state == FACTS_RUNNING)
			tell_recording(batch, recordings->all.items[i]);
	}
}

void self_tell(struct batch *batch, const struct recordings *recordings)
{
	const struct event_settings *settings = &recordings->united;

	if (event_setting_of(settings, EVENT_ACTIVE_RECORDING)->is_enabled)
		tell_recordings(batch, recordings);
	if (!event_setting_of(settings, EVENT_ACTIVE_SETTING)->is_enabled)
		return;
	for (int id = EVENT_FIRST; id < EVENT_END; id++)
		tell_settings(batch, settings, (enum event_id)id);
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
