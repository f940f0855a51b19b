#include "engine/blocks.h"
