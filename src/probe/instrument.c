#include "probe/instrument.h"
