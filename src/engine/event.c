#include "engine/event.h"
