#include "engine/recorder.h"
