#include "probe/filters.h"
