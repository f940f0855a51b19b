#include "hotspot/frametypes.h"
