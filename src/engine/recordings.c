#include "engine/recordings.h"
