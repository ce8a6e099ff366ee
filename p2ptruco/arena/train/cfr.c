/* External-sampling Monte-Carlo counterfactual regret minimisation for a hand of truco.
 *
 * 1. A hand is dealt by strength classes, 1 the weakest; equal classes tie. What a seat knows is
 *    folded into a key of 64 bits (`key_of`), and `table.py` folds a view the same way.
 * 2. Actions are numbers 0 to 3. Answering: accept, run, raise. Else the cards left from the
 *    weakest (0, 1, 2) and, in the second trick, 0 weakest, 1 strongest, 2 weakest face down; the
 *    call is always 3. Equal cards are one action.
 * 3. The utility of a hand is the change of the match equity at a score that is drawn with the
 *    deal, so that the table is fit for any score; a locked hand (special, iron) is won or lost.
 * 4. One thread and one seeded generator: the same seed gives the same table.
 */
#include "cfr.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
enum { ACTIONS = 4, CALL = 3, ACCEPT = 0, RUN = 1, RAISE = 2, MOST_SEATS = 8, MOST_NEED = 64 };

typedef struct { u64 key; float regret[ACTIONS], average[ACTIONS]; } Node;

/* What came of a situation in self-play: answers accepted or turns kept; calls made, run from. */
typedef struct { float kept, kept_won, called, run, accepted_won; } Outcome;

struct Solver {
  int seats, classes, copies[20], with_vira, top, values[12], target, scores;
  u64 chance, mask, used, full;
  Node *nodes;
  Outcome *outcomes;
  double equity[MOST_NEED + 1][MOST_NEED + 1];
  double weight;
  const Solver *fixed;
};

typedef struct {
  int card[MOST_SEATS][3], left[MOST_SEATS];
  int laid[3][MOST_SEATS];            /* by trick and seat: class, 0 face down, -1 not yet */
  int lead, turn, trick, on_table, best, side, holder, won[3];
  int level, caller, pending, locked, over, winner;
  int close[2];                       /* 2: the first call wins the match, 1: the second, 0: neither */
  double gain[12][2];                 /* utility to team 0 by level and winning team */
} Hand;

static u64 next_u64(Solver *s) {
  u64 z = (s->chance += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}
static int below(Solver *s, int n) { return (int)(((next_u64(s) >> 32) * (u64)n) >> 32); }
static double unit(Solver *s) { return (double)(next_u64(s) >> 11) * (1.0 / 9007199254740992.0); }

/* The table of nodes: open addressing. */

static u64 place_of(u64 key) {
  key ^= key >> 31; key *= 0x7FB5D329728EA185ULL; key ^= key >> 27; key *= 0x81DADEF4BC2DD44DULL;
  return key ^ (key >> 33);
}
static Node *find(const Solver *s, u64 key) {
  u64 at = place_of(key) & s->mask;
  while (s->nodes[at].key && s->nodes[at].key != key) at = (at + 1) & s->mask;
  return &s->nodes[at];
}
static Node *node_of(Solver *s, u64 key) {
  Node *node = find(s, key);
  if (!node->key) {
    if (s->used * 10 > s->mask * 9) { s->full = 1; return node; }
    node->key = key; s->used++;
  }
  return node;
}

/* The game. */

static int cards_left(const Hand *h, int seat, int *cards, int *places) {
  int n = 0;
  for (int i = 0; i < 3; i++) if (h->left[seat] >> i & 1) { cards[n] = h->card[seat][i]; places[n++] = i; }
  return n;
}
static int may_call(const Solver *s, const Hand *h, int seat) {
  return !h->locked && h->level < s->top && (h->caller < 0 || ((h->caller ^ seat) & 1));
}
static int legal(const Solver *s, const Hand *h, int seat) {
  if (h->pending) return h->level + 1 < s->top ? 7 : 3;
  int c[3], p[3], n = cards_left(h, seat, c, p), mask = 1;
  if (h->trick == 0) { if (n > 1 && c[1] != c[0]) mask |= 2; if (n > 2 && c[2] != c[1]) mask |= 4; }
  if (h->trick == 1) { mask |= 4; if (c[n - 1] != c[0]) mask |= 2; }
  if (may_call(s, h, seat)) mask |= 1 << CALL;
  return mask;
}
static void end(Hand *h, int winner) { h->over = 1; h->winner = winner; }
static void finish(const Solver *s, Hand *h) {
  int won = h->side, trick = h->trick, first = h->won[0];
  h->won[trick] = won; h->trick++; h->on_table = 0; h->lead = h->turn = h->holder;
  (void)s;
  if (trick == 1) {
    if (first < 0) { if (won >= 0) end(h, won); }
    else if (won < 0 || won == first) end(h, first);
  } else if (trick == 2) end(h, won >= 0 ? won : first);
}
static void act(const Solver *s, Hand *h, int action) {
  int seat = h->turn;
  if (h->pending) {
    if (action == RUN) { end(h, 1 - (seat & 1)); return; }
    h->level++;
    if (action == RAISE) { h->caller = seat; h->turn = (seat + 1) % s->seats; return; }
    h->pending = 0; h->turn = (h->lead + h->on_table) % s->seats;
    return;
  }
  if (action == CALL) { h->pending = 1; h->caller = seat; h->turn = (seat + 1) % s->seats; return; }
  int c[3], p[3], n = cards_left(h, seat, c, p), down = 0, at = action;
  if (h->trick == 1) { down = action == 2; at = action == 1 ? n - 1 : 0; }
  h->left[seat] &= ~(1 << p[at]);
  int strength = down ? 0 : c[at];
  h->laid[h->trick][seat] = strength;
  if (!h->on_table || strength > h->best) { h->best = strength; h->holder = seat; h->side = seat & 1; }
  else if (strength == h->best && h->side != (seat & 1)) h->side = -1;
  if (++h->on_table == s->seats) finish(s, h);
  else h->turn = (seat + 1) % s->seats;
}

/* What a seat knows, as a key. The order of the fields is that of `keys.py`. */

static int betting(const Hand *h, int seat) {
  if (h->locked) return 15;
  if (h->pending) return 9 + h->level;
  return h->level ? 2 * h->level - 1 + ((h->caller & 1) == (seat & 1)) : 0;
}
static int result(const Hand *h, int trick, int seat) {
  return h->trick <= trick ? 3 : h->won[trick] < 0 ? 1 : h->won[trick] == (seat & 1) ? 2 : 0;
}
static int six(const Solver *s, int c) {    /* a card of the other seat, in six kinds and face down */
  int above = s->classes - c;
  if (c == 0) return 6;
  return above < 2 ? 5 : above < 4 ? 4 : above == 4 ? 3 : above < 7 ? 2 : above < 10 ? 1 : 0;
}
static int three(const Solver *s, int c) {  /* an own card that the other seat has seen */
  int above = s->classes - c;
  return c && above < 4 ? 2 : c && above < 7 ? 1 : 0;
}
static u64 exact_key(const Solver *s, const Hand *h, int seat) {
  int c[3] = {0, 0, 0}, p[3], other = 1 - seat, t = h->trick;
  cards_left(h, seat, c, p);
  int lay = 0;
  if (h->on_table) {
    if (h->lead != seat) lay = h->best ? h->best : 31;
    else lay = 28 + three(s, h->best);
  }
  u64 key = 1;
  key = key << 2 | (u64)t;
  for (int i = 0; i < 3; i++) key = key << 5 | (u64)c[i];
  key = key << 5 | (u64)lay;
  key = key << 4 | (u64)betting(h, seat);
  key = key << 2 | (u64)result(h, 0, seat);
  for (int i = 0; i < 2; i++) {
    int done = t > i;
    key = key << 3 | (u64)(done ? six(s, h->laid[i][other]) : 0);
    key = key << 2 | (u64)(done ? three(s, h->laid[i][seat]) : 0);
  }
  return key;
}
static int unseen_above(const Solver *s, const Hand *h, int seat, int strength) {
  int n = 0;
  for (int c = strength + 1; c <= s->classes; c++) n += s->copies[c];
  for (int q = 0; q < s->seats; q++) for (int t = 0; t < 3; t++) n -= h->laid[t][q] > strength;
  for (int i = 0; i < 3; i++) if (h->left[seat] >> i & 1) n -= h->card[seat][i] > strength;
  return n < 0 ? 0 : n;
}
static int kind(int above) {                /* how good a card is by how many unseen ones beat it */
  return above < 4 ? 9 - above : above < 6 ? 5 : above < 10 ? 4 : above < 14 ? 3 : above < 22 ? 2 : 1;
}
static int coarse(int above) { return above < 1 ? 4 : above < 4 ? 3 : above < 8 ? 2 : above < 14 ? 1 : 0; }
static u64 many_key(const Solver *s, const Hand *h, int seat) {
  int c[3], p[3], n = cards_left(h, seat, c, p), beat = 0;
  u64 key = 1;
  key = key << 2 | (u64)h->trick;
  for (int i = 0; i < 3; i++) key = key << 4 | (u64)(i < n ? kind(unseen_above(s, h, seat, c[i])) : 0);
  int place = (seat - h->lead + s->seats) % s->seats, after = s->seats - 1 - place;
  if (place < h->on_table) after = 4;       /* it has laid already in this trick */
  else if (after > 3) after = 3;
  key = key << 3 | (u64)after;
  if (h->on_table) {
    for (int i = 0; i < n; i++) beat += c[i] > h->best;
    int of = h->side < 0 ? 1 : h->side == (seat & 1) ? 2 : 3;
    key = key << 2 | (u64)of;
    key = key << 3 | (u64)coarse(unseen_above(s, h, seat, h->best));
    key = key << 2 | (u64)beat;
  } else key = key << 7;
  key = key << 4 | (u64)betting(h, seat);
  return key << 2 | (u64)result(h, 0, seat);
}
static u64 key_of(const Solver *s, const Hand *h, int seat) {
  u64 key = s->seats == 2 ? exact_key(s, h, seat) : many_key(s, h, seat);
  if (!s->scores) return key;
  return key << 4 | (u64)(h->close[seat & 1] << 2 | h->close[1 - (seat & 1)]);
}

/* Dealing. */

static void deal(Solver *s, Hand *h, int locked) {
  int deck[64], n = 0, vira = s->with_vira ? 1 + below(s, s->classes - 3) : 0;
  /* The vira lies under the manilhas: its class has a card less. Under the weakest class (vira 3
     of a deck whose manilhas were taken from the bottom) one of the strongest commons is out. */
  if (vira > s->classes - 4) vira = s->classes - 4;
  for (int c = 1; c <= s->classes; c++) for (int k = 0; k < s->copies[c] - (c == vira); k++) deck[n++] = c;
  memset(h, 0, sizeof *h);
  for (int i = 0; i < s->seats * 3; i++) {
    int j = i + below(s, n - i), card = deck[j];
    deck[j] = deck[i]; deck[i] = card; h->card[i / 3][i % 3] = card;
  }
  for (int q = 0; q < s->seats; q++) {
    int *c = h->card[q], x;
#define ORDER(a, b) if (c[a] > c[b]) { x = c[a]; c[a] = c[b]; c[b] = x; }
    ORDER(0, 1) ORDER(1, 2) ORDER(0, 1)
    h->left[q] = 7;
    for (int t = 0; t < 3; t++) h->laid[t][q] = -1;
  }
  h->caller = -1; h->locked = locked;
  h->lead = h->turn = below(s, s->seats);
}
static void price(Solver *s, Hand *h) {
  if (h->locked) { for (int l = 0; l <= s->top; l++) { h->gain[l][0] = .25; h->gain[l][1] = -.25; } return; }
  int base = s->values[0], free = s->target - base, need[2];
  for (int i = 0; i < 2; i++) need[i] = base + 1 + below(s, free);
  if (base > 1) for (int i = 0; i < 2; i++) { need[i] = (need[i] + base - 1) / base * base; if (need[i] > s->target) need[i] = s->target; }
  if (s->scores) for (int i = 0; i < 2; i++)
    h->close[i] = need[i] <= s->values[1] ? 2 : need[i] <= s->values[2] ? 1 : 0;
  double now = s->equity[need[0]][need[1]];
  for (int l = 0; l <= s->top; l++) {
    int a = need[0] - s->values[l], b = need[1] - s->values[l];
    h->gain[l][0] = (a <= 0 ? 1 : s->equity[a][need[1]]) - now;
    h->gain[l][1] = (b <= 0 ? 0 : s->equity[need[0]][b]) - now;
  }
}
static void price_points(const Solver *s, Hand *h) {
  for (int l = 0; l <= s->top; l++) { h->gain[l][0] = s->values[l]; h->gain[l][1] = -s->values[l]; }
}
static double utility(const Hand *h, int seat) {
  double u = h->winner < 0 ? 0 : h->gain[h->level][h->winner];
  return seat & 1 ? -u : u;
}

/* Learning. */

static void matched(const float *values, int mask, double *out) {
  double sum = 0; int n = 0;
  for (int i = 0; i < ACTIONS; i++) { out[i] = 0; if (mask >> i & 1) { n++; if (values[i] > 0) sum += out[i] = values[i]; } }
  for (int i = 0; i < ACTIONS; i++) if (mask >> i & 1) out[i] = sum > 0 ? out[i] / sum : 1.0 / n;
}
static int drawn(Solver *s, const double *odds) {
  double x = unit(s); int last = 0;
  for (int i = 0; i < ACTIONS; i++) if (odds[i] > 0) { last = i; x -= odds[i]; if (x < 0) return i; }
  return last;
}
static double walk(Solver *s, const Hand *h, int learner) {
  if (h->over) return utility(h, learner);
  int seat = h->turn, mask = legal(s, h, seat);
  double odds[ACTIONS];
  Hand next = *h;
  if (s->fixed && ((seat ^ learner) & 1)) {
    Node *node = find(s->fixed, key_of(s, h, seat));
    matched(node->average, mask, odds);
    act(s, &next, drawn(s, odds));
    return walk(s, &next, learner);
  }
  u64 key = key_of(s, h, seat);
  Node *node = node_of(s, key);
  matched(node->regret, mask, odds);
  if (seat != learner) {
    for (int i = 0; i < ACTIONS; i++) node->average[i] += (float)(s->weight * odds[i]);
    act(s, &next, drawn(s, odds));
    return walk(s, &next, learner);
  }
  if (s->fixed) for (int i = 0; i < ACTIONS; i++) node->average[i] += (float)(s->weight * odds[i]);
  double value[ACTIONS], mean = 0;
  for (int i = 0; i < ACTIONS; i++) if (mask >> i & 1) {
    next = *h;
    act(s, &next, i);
    value[i] = walk(s, &next, learner);
    mean += odds[i] * value[i];
  }
  for (int i = 0; i < ACTIONS; i++) if (mask >> i & 1) node->regret[i] += (float)((value[i] - mean) * s->weight);
  return mean;
}
int solver_run(Solver *s, long from, long count, long total, int points) {
  for (long i = from; i < from + count && !s->full; i++) {
    Hand h;
    s->weight = 1 + 20.0 * (double)i / (double)total;
    deal(s, &h, !points && below(s, 8) == 0);
    if (points) price_points(s, &h); else price(s, &h);
    walk(s, &h, (int)(i % s->seats));
  }
  return !s->full;
}

/* Measuring. */

static void play_out(Solver *chance, const Solver *const by[2], Hand *h) {
  while (!h->over) {
    const Solver *s = by[h->turn & 1];
    double odds[ACTIONS];
    matched(find(s, key_of(s, h, h->turn))->average, legal(s, h, h->turn), odds);
    act(s, h, drawn(chance, odds));
  }
}
double solver_match_up(Solver *mine, Solver *theirs, long hands, double *error) {
  double sum = 0, squares = 0;
  for (long i = 0; i < hands; i++) {
    Hand h; deal(mine, &h, 0); price_points(mine, &h);
    const Solver *by[2] = {i & 1 ? theirs : mine, i & 1 ? mine : theirs};
    play_out(mine, by, &h);
    double u = utility(&h, (int)(i & 1)); sum += u; squares += u * u;
  }
  double mean = sum / (double)hands;
  *error = sqrt((squares / (double)hands - mean * mean) / (double)hands);
  return mean;
}
/* How often a hand ends at each level, ties last, from self-play. */
void solver_results(Solver *s, long hands, double *shares) {
  const Solver *by[2] = {s, s};
  for (int l = 0; l <= s->top + 1; l++) shares[l] = 0;
  for (long i = 0; i < hands; i++) {
    Hand h; deal(s, &h, 0); price_points(s, &h); play_out(s, by, &h);
    shares[h.winner < 0 ? s->top + 1 : h.level] += 1.0 / (double)hands;
  }
}
/* What comes of each situation in self-play, one team trying one other move a hand. */
int solver_outcomes(Solver *s, long hands) {
  if (!s->outcomes) s->outcomes = calloc(s->mask + 1, sizeof *s->outcomes);
  if (!s->outcomes) return 0;
  for (long i = 0; i < hands; i++) {
    Hand h;
    deal(s, &h, 0); price_points(s, &h);
    int curious = (int)(i & 1), n = 0, tried = 0, from = 0, action[64];
    Node *path[64];
    int pending[64];
    while (!h.over) {
      int seat = h.turn, mask = legal(s, &h, seat), own = (seat & 1) == curious;
      Node *node = find(s, key_of(s, &h, seat));
      double odds[ACTIONS];
      matched(node->average, mask, odds);
      if (own && !tried && (h.pending || mask >> CALL & 1) && below(s, 3) == 0) {
        tried = 1; from = n;              /* what came before was not its policy */
        if (h.pending) { for (int a = 0; a < ACTIONS; a++) odds[a] = a == ACCEPT; }
        else if (mask >> CALL & 1) { int call = below(s, 2); double kept = 1 - odds[CALL];
          for (int a = 0; a < ACTIONS; a++) odds[a] = a == CALL ? call : call ? 0 : kept > 0 ? odds[a] / kept : (a == 0); }
      }
      int chosen = drawn(s, odds);
      if (own && node->key && n < 64) { path[n] = node; pending[n] = h.pending; action[n++] = chosen; }
      act(s, &h, chosen);
    }
    /* The last call of the team was run from if the hand ended before anybody answered it. */
    int ran = h.pending && h.winner == curious;
    for (int k = from; k < n; k++) {
      Outcome *o = &s->outcomes[path[k] - s->nodes];
      int won = h.winner == curious;
      if (pending[k]) {
        if (action[k] != RUN) { o->kept++; o->kept_won += (float)won; }
      } else if (action[k] == CALL) {
        o->called++;
        if (ran && k == n - 1) o->run++; else o->accepted_won += (float)won;
      } else { o->kept++; o->kept_won += (float)won; }
    }
  }
  return 1;
}

/* Locked hands of self-play: the key of each team's cards, and 2 for won, 1 tied, 0 lost. */
static u64 special_key(const Solver *s, const Hand *h, int team) {
  int cards[12], n = 0, best[3];
  for (int q = team; q < s->seats; q += 2) for (int i = 0; i < 3; i++) cards[n++] = h->card[q][i];
  for (int i = 0; i < 3; i++) {
    int top = 0;
    for (int k = 1; k < n; k++) if (cards[k] > cards[top]) top = k;
    best[i] = cards[top]; cards[top] = -1;
  }
  u64 key = 1;
  for (int i = 2; i >= 0; i--) {
    int above = 0, card = best[i];
    for (int c = card + 1; c <= s->classes; c++) above += s->copies[c];
    for (int q = team; q < s->seats; q += 2) for (int k = 0; k < 3; k++) above -= h->card[q][k] > card;
    key = key << 5 | (u64)(s->seats == 2 ? card : kind(above));
  }
  return key;
}
void solver_special(Solver *s, long hands, unsigned long long *keys, signed char *results) {
  const Solver *by[2] = {s, s};
  for (long i = 0; i < hands; i++) {
    Hand h;
    deal(s, &h, 1); price(s, &h);
    for (int team = 0; team < 2; team++) keys[2 * i + team] = special_key(s, &h, team);
    play_out(s, by, &h);
    for (int team = 0; team < 2; team++) results[2 * i + team] = (signed char)(h.winner < 0 ? 1 : 2 * (h.winner == team));
  }
}

/* Making, saving, reading. */

Solver *solver_new(int seats, int classes, const int *copies, int with_vira, int top,
                   const int *values, int target, int scores, unsigned long long seed,
                   int log2_slots) {
  Solver *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->seats = seats; s->classes = classes; s->with_vira = with_vira; s->top = top; s->target = target; s->scores = scores;
  for (int c = 1; c <= classes; c++) s->copies[c] = copies[c];
  for (int l = 0; l <= top; l++) s->values[l] = values[l];
  s->chance = seed; s->mask = (1ULL << log2_slots) - 1;
  s->nodes = calloc(s->mask + 1, sizeof *s->nodes);
  if (!s->nodes) { free(s); return NULL; }
  return s;
}
void solver_free(Solver *s) { free(s->nodes); free(s->outcomes); free(s); }
void solver_equity(Solver *s, const double *equity) { memcpy(s->equity, equity, sizeof s->equity); }
void solver_against(Solver *s, const Solver *fixed) { s->fixed = fixed; }
long solver_size(const Solver *s) { return (long)s->used; }
long solver_export(const Solver *s, unsigned long long *keys, float *average, float *regret) {
  long n = 0;
  for (u64 i = 0; i <= s->mask; i++) if (s->nodes[i].key) {
    keys[n] = s->nodes[i].key;
    memcpy(average + n * ACTIONS, s->nodes[i].average, sizeof s->nodes[i].average);
    memcpy(regret + n * ACTIONS, s->nodes[i].regret, sizeof s->nodes[i].regret);
    n++;
  }
  return n;
}
/* Five numbers a situation, in the order of `solver_export`. */
void solver_export_outcomes(const Solver *s, float *out) {
  for (u64 i = 0, n = 0; i <= s->mask; i++)
    if (s->nodes[i].key) memcpy(out + 5 * n++, &s->outcomes[i], sizeof *s->outcomes);
}
int solver_import(Solver *s, long count, const unsigned long long *keys, const float *average,
                  const float *regret) {
  for (long i = 0; i < count; i++) {
    Node *node = node_of(s, keys[i]);
    if (s->full) return 0;
    memcpy(node->average, average + i * ACTIONS, sizeof node->average);
    memcpy(node->regret, regret + i * ACTIONS, sizeof node->regret);
  }
  return 1;
}
