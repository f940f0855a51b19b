#include "hotspot/mounted.h"
