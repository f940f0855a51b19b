#include "engine/samples.h"
