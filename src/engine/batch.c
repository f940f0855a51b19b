#include "engine/batch.h"
