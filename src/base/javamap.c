#include "base/javamap.h"

#include <stdlib.h>

/* Buckets there are at least, and those from which on shared ones become trees. */
#define BUCKETS_MIN 16
#define BUCKETS_OF_TREES 64

/* A list that grows longer becomes a tree; a tree of which no more is left, a list. */
#define LIST_MAX 7
#define LIST_AGAIN 6

/* A key. Those of a bucket are a list, and those of some buckets a tree besides. */
struct node {
	int32_t hash;			/* as it is compared */
	struct node *next;
	/* Of a tree, which is red and black. */
	struct node *before;		/* in the list */
	struct node *parent, *child[2];
	bool is_red;
};

struct bucket {
	struct node *first;		/* of a tree, its root */
	bool is_tree;
};

struct javamap {
	struct bucket *buckets;
	size_t bucket_count, entries;
};

static struct bucket *bucket_of(const struct javamap *map, const struct node *node)
{
	return &map->buckets[(uint32_t)node->hash & (map->bucket_count - 1)];
}

/* --- trees -------------------------------------------------------------------------- */

/* The child on the other side takes the place of the node, which goes down to `side`. */
static void rotate(struct node **root, struct node *node, int side)
{
	struct node *up = node->child[!side], *parent = node->parent;

	node->child[!side] = up->child[side];
	if (up->child[side])
		up->child[side]->parent = node;
	up->parent = parent;
	if (parent)
		parent->child[parent->child[1] == node] = up;
	else
		*root = up;
	up->child[side] = node;
	node->parent = up;
}

/* A new leaf is red; no red node has a red parent. */
static void balance(struct node **root, struct node *node)
{
	node->is_red = true;
	while (node->parent && node->parent->is_red) {
		struct node *parent = node->parent, *grand = parent->parent;
		int side = grand->child[1] == parent;
		struct node *uncle = grand->child[!side];

		if (uncle && uncle->is_red) {
			parent->is_red = uncle->is_red = false;
			grand->is_red = true;
			node = grand;
			continue;
		}
		if (node == parent->child[!side]) {
			rotate(root, parent, side);
			node = parent;
			parent = node->parent;
		}
		parent->is_red = false;
		grand->is_red = true;
		rotate(root, grand, !side);
	}
	(*root)->is_red = false;
}

/* Gives its parent; NULL: it is the root. */
static struct node *grow_tree(struct node **root, struct node *node)
{
	struct node *parent = NULL, **place = root;

	while (*place) {
		parent = *place;
		place = &parent->child[node->hash > parent->hash];
	}
	*place = node;
	node->parent = parent;
	node->child[0] = node->child[1] = NULL;
	balance(root, node);
	return parent;
}

static void link_behind(struct node *before, struct node *node)
{
	node->before = before;
	node->next = before->next;
	if (node->next)
		node->next->before = node;
	before->next = node;
}

static void move_to_front(struct bucket *bucket, struct node *root)
{
	if (bucket->first == root)
		return;
	root->before->next = root->next;
	if (root->next)
		root->next->before = root->before;
	root->next = bucket->first;
	bucket->first->before = root;
	root->before = NULL;
	bucket->first = root;
}

static void make_tree(struct bucket *bucket)
{
	struct node *root = NULL, *before = NULL;

	for (struct node *node = bucket->first; node; node = node->next) {
		node->before = before;
		before = node;
		grow_tree(&root, node);
	}
	bucket->is_tree = true;
	move_to_front(bucket, root);
}

static void add_to_tree(struct bucket *bucket, struct node *node)
{
	struct node *root = bucket->first;

	link_behind(grow_tree(&root, node), node);
	move_to_front(bucket, root);
}

/* --- buckets ------------------------------------------------------------------------ */

/* The keys of a bucket go to two, and stay in their order. */
static void split(const struct bucket *from, size_t bit, struct bucket *to[2])
{
	struct node **ends[2] = { &to[0]->first, &to[1]->first }, *next;
	size_t counts[2] = { 0 };

	for (struct node *node = from->first; node; node = next) {
		int which = ((uint32_t)node->hash & bit) != 0;

		next = node->next;
		node->next = NULL;
		*ends[which] = node;
		ends[which] = &node->next;
		counts[which]++;
	}
	for (int i = 0; i < 2 && from->is_tree; i++) {
		to[i]->is_tree = counts[i] > LIST_AGAIN;
		/* One that has them all is the tree that it was. */
		if (to[i]->is_tree && counts[!i] > 0)
			make_tree(to[i]);
	}
}

static bool grow(struct javamap *map)
{
	size_t before = map->bucket_count;
	size_t count = before ? 2 * before : BUCKETS_MIN;
	struct bucket *buckets = calloc(count, sizeof(*buckets));

	if (!buckets)
		return false;
	for (size_t i = 0; i < before; i++)
		split(&map->buckets[i], before,
		      (struct bucket *[]){ &buckets[i], &buckets[before + i] });
	free(map->buckets);
	map->buckets = buckets;
	map->bucket_count = count;
	return true;
}

static bool ask(struct javamap *map)
{
	return map->entries <= map->bucket_count / 4 * 3 && map->bucket_count ?
		       true : grow(map);
}

static bool add(struct javamap *map, struct node *node)
{
	struct bucket *bucket = bucket_of(map, node);
	size_t count = 1;

	map->entries++;
	if (bucket->is_tree) {
		add_to_tree(bucket, node);
		return true;
	}
	for (const struct node *at = bucket->first; at; at = at->next)
		count++;
	node->next = bucket->first;
	bucket->first = node;
	if (count <= LIST_MAX)
		return true;
	if (map->bucket_count < BUCKETS_OF_TREES)
		return grow(map);
	make_tree(bucket);
	return true;
}

static void list(const struct javamap *map, const struct node *nodes, uint32_t *order)
{
	for (size_t i = 0; i < map->bucket_count; i++) {
		const struct node *node = map->buckets[i].first;

		for (; node; node = node->next)
			*order++ = (uint32_t)(node - nodes);
	}
}

bool javamap_order(const uint32_t *hashes, size_t count, bool is_asked,
		   uint32_t *order)
{
	struct node *nodes = calloc(count ? count : 1, sizeof(*nodes));
	struct javamap map = { .entries = 0 };
	bool is_good = nodes != NULL;

	for (size_t i = 0; i < count && is_good; i++) {
		nodes[i].hash = (int32_t)(hashes[i] ^ hashes[i] >> 16);
		is_good = ask(&map) && add(&map, &nodes[i]);
	}
	if (is_good && is_asked)
		is_good = ask(&map);
	if (is_good)
		list(&map, nodes, order);
	free(map.buckets);
	free(nodes);
	return is_good;
}
