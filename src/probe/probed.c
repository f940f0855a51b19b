#include "probe/probed.h"
