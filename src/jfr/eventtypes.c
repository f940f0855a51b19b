#include "jfr/eventtypes.h"
