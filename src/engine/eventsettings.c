#include "engine/eventsettings.h"
