#include "cmd/zone.h"

#include <strings.h>

#include "cmd/usage.h"

bool zone_read(const struct invocation *invocation, const char *word,
	       enum input_zone otherwise, enum input_zone *zone)
{
	static const struct {
		const char *word;
		enum input_zone zone;
	} zones[] = { { "recording", ZONE_RECORDING }, { "utc", ZONE_UTC },
		      { "local", ZONE_LOCAL } };

	*zone = otherwise;
	for (size_t i = 0; word && i < sizeof(zones) / sizeof(zones[0]); i++) {
		if (strcasecmp(word, zones[i].word) == 0) {
			*zone = zones[i].zone;
			return true;
		}
	}
	if (word)
		complain_usage(invocation,
			       "not a zone: '%s'; it is recording, utc or local", word);
	return !word;
}
