/* A rough physical limit: flat column arrays, hash index on ids, postings for links; answers written as JSON text.
   build: cc -O2 -o peer-flat peer-flat.c     run: ./peer-flat DATADIR     (data of make-data.py, the CSV files) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <time.h>
#include <sys/resource.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e3 + t.tv_nsec / 1e6; }
typedef struct { uint64_t a, b; } id128;
typedef struct { char *buf; char **line; int n; } file;
static file rd(const char *d, const char *n) {
  char p[512]; snprintf(p, sizeof p, "%s/%s", d, n); FILE *f = fopen(p, "rb"); if (!f) { perror(p); exit(1); }
  fseek(f, 0, SEEK_END); long z = ftell(f); rewind(f); file r; r.buf = malloc(z + 1); if (fread(r.buf, 1, z, f) != (size_t)z) exit(1); r.buf[z] = 0; fclose(f);
  int c = 0; for (long i = 0; i < z; i++) c += r.buf[i] == '\n'; r.line = malloc(sizeof(char *) * (c + 1)); r.n = 0;
  char *s = strchr(r.buf, '\n') + 1; while (*s) { r.line[r.n++] = s; s = strchr(s, '\n'); *s++ = 0; } return r;
}
static int hexv(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }
static id128 uid(const char *s) { uint64_t v[2] = {0, 0}; int k = 0; for (const char *p = s; k < 32; p++) { if (*p == '-') continue; v[k >> 4] = v[k >> 4] << 4 | hexv(*p); k++; } return (id128){v[0], v[1]}; }
/* columns */
static int nu, np, nc;
static id128 *uI, *pI, *cI; static char **uH, **uE, **uN, **uB, **pT, **pB, **cT; static uint8_t *uC, *uAct, *pS; static int32_t *uAge, *pL, *cR, *pA, *cP; static double *uSc; static int64_t *uJ, *pP, *cW;
static int *ht; static uint32_t hm; static int *hh; static uint32_t hhm;
static int *ps, *pl, *cs, *cl; /* postings: user -> posts, post -> comments */
static const char *ST[4] = {"draft", "review", "published", "archived"};
static uint64_t mix(uint64_t z) { z ^= z >> 30; z *= 0xBF58476D1CE4E5B9ULL; z ^= z >> 27; return z; }
static uint64_t hs(const char *s) { uint64_t h = 14695981039346656037ULL; while (*s) { h ^= (uint8_t)*s++; h *= 1099511628211ULL; } return mix(h); }
static char *cell(char **s) { char *r = *s; while (**s && **s != ',') (*s)++; if (**s) *(*s)++ = 0; return r; }
static int findu(id128 k) { for (uint32_t i = mix(k.a ^ k.b) & hm;; i = (i + 1) & hm) { int x = ht[i]; if (x < 0) return -1; if (uI[x].a == k.a && uI[x].b == k.b) return x; } }
static int findh(const char *s) { for (uint32_t i = hs(s) & hhm;; i = (i + 1) & hhm) { int x = hh[i]; if (x < 0) return -1; if (!strcmp(uH[x], s)) return x; } }
static int *table(int n, uint32_t *m) { uint32_t z = 16; while (z < (uint32_t)n * 2) z *= 2; *m = z - 1; int *t = malloc(z * sizeof(int)); memset(t, 255, z * sizeof(int)); return t; }
static void postings(int *key, int n, int m, int **st, int **li) { *st = calloc(m + 2, sizeof(int)); *li = malloc(sizeof(int) * (n + 1)); for (int i = 0; i < n; i++) (*st)[key[i] + 1]++; for (int i = 0; i < m; i++) (*st)[i + 1] += (*st)[i]; int *w = malloc(sizeof(int) * (m + 1)); memcpy(w, *st, sizeof(int) * (m + 1)); for (int i = 0; i < n; i++) (*li)[w[key[i]]++] = i; free(w); }
static int byH(const void *a, const void *b) { return strcmp(uH[*(uint32_t *)a], uH[*(uint32_t *)b]); }
/* JSON out */
static char *O; static size_t ow; static char *obuf; static size_t ocap = 1u << 30;
static void S(const char *s) { size_t n = strlen(s); memcpy(O, s, n); O += n; }
static void Q(const char *s) { *O++ = '"'; S(s); *O++ = '"'; }
static void N(int64_t v) { if (v < 0) { *O++ = '-'; v = -v; } char t[24]; int k = 0; do { t[k++] = '0' + v % 10; v /= 10; } while (v); while (k) *O++ = t[--k]; }
static void I(id128 v) { static const char *x = "0123456789abcdef"; *O++ = '"'; for (int i = 0; i < 32; i++) { if (i == 8 || i == 12 || i == 16 || i == 20) *O++ = '-'; *O++ = x[((i < 16 ? v.a : v.b) >> (60 - 4 * (i & 15))) & 15]; } *O++ = '"'; }
static void user(int i) { S("{\"id\":"); I(uI[i]); S(",\"handle\":"); Q(uH[i]); S(",\"email\":"); Q(uE[i]); S(",\"fullName\":"); Q(uN[i]); S(",\"city\":\"city-"); *O++ = '0' + uC[i] / 10; *O++ = '0' + uC[i] % 10; S("\",\"age\":"); N(uAge[i]); S(",\"score\":"); int64_t c = (int64_t)(uSc[i] * 100 + .5); N(c / 100); *O++ = '.'; *O++ = '0' + c / 10 % 10; *O++ = '0' + c % 10; S(",\"active\":"); S(uAct[i] ? "true" : "false"); S(",\"joinedAt\":"); N(uJ[i]); S(",\"bio\":"); Q(uB[i]); }
static void post(int i) { S("{\"id\":"); I(pI[i]); S(",\"title\":"); Q(pT[i]); S(",\"body\":"); Q(pB[i]); S(",\"status\":"); Q(ST[pS[i]]); S(",\"likes\":"); N(pL[i]); S(",\"publishedAt\":"); N(pP[i]); }
static void comment(int i) { S("{\"id\":"); I(cI[i]); S(",\"text\":"); Q(cT[i]); S(",\"rating\":"); N(cR[i]); S(",\"writtenAt\":"); N(cW[i]); S("}"); }
static void nested(int n) { *O++ = '['; for (int u = 0; u < n && u < nu; u++) { if (u) *O++ = ','; user(u); S(",\"posts\":["); for (int k = ps[u]; k < ps[u + 1]; k++) { int p = pl[k]; if (k > ps[u]) *O++ = ','; post(p); S(",\"comments\":["); for (int j = cs[p]; j < cs[p + 1]; j++) { if (j > cs[p]) *O++ = ','; comment(cl[j]); } S("]}"); } S("]}"); } *O++ = ']'; }
/* top 50 posts by (likes desc, id desc) with a bounded heap over one scan */
static int less(int a, int b) { return pL[a] != pL[b] ? pL[a] < pL[b] : pI[a].a != pI[b].a ? pI[a].a < pI[b].a : pI[a].b < pI[b].b; }
static int top[50], tn; static void sift(int i, int n) { for (;;) { int l = 2 * i + 1, m = i; if (l < n && less(top[l], top[m])) m = l; if (l + 1 < n && less(top[l + 1], top[m])) m = l + 1; if (m == i) return; int t = top[i]; top[i] = top[m]; top[m] = t; i = m; } }
static void top50(void) { tn = 0; for (int i = 0; i < np; i++) { if (tn < 50) { top[tn++] = i; if (tn == 50) for (int k = 24; k >= 0; k--) sift(k, 50); } else if (less(top[0], i)) { top[0] = i; sift(0, 50); } } if (tn < 50) for (int k = tn / 2; k >= 0; k--) sift(k, tn); for (int n = tn - 1; n > 0; n--) { int t = top[0]; top[0] = top[n]; top[n] = t; sift(0, n); } }
static int cmpd(const void *a, const void *b) { double x = *(double *)a - *(double *)b; return x < 0 ? -1 : x > 0; }
static volatile int64_t sink;
#define RUN(name, reps, body) do { double xs[400]; int n_ = 0; double t0_ = now(); for (int w_ = 0; n_ < 5 || (n_ < 300 && now() - t0_ < 1000); w_++) { int it = w_ * 17 + 3; double t_ = now(); for (int r_ = 0; r_ < reps; r_++, it += 7919) { O = obuf; body; sink += O - obuf; } double e_ = (now() - t_) / reps; if (w_ >= 2) xs[n_++] = e_; ow = O - obuf; } qsort(xs, n_, sizeof(double), cmpd); printf("%-38s median %.5f min %.5f n %d bytes %zu\n", name, xs[n_ / 2], xs[0], n_, ow); fflush(stdout); } while (0)
int main(int c, char **v) {
  (void)c; double t = now(); file fu = rd(v[1], "users.csv"), fp = rd(v[1], "posts.csv"), fc = rd(v[1], "comments.csv"); double tread = now() - t; t = now();
  nu = fu.n; np = fp.n; nc = fc.n;
#define A(x, n) x = malloc(sizeof(*x) * ((n) + 1))
  A(uI, nu); A(uH, nu); A(uE, nu); A(uN, nu); A(uB, nu); A(uC, nu); A(uAct, nu); A(uAge, nu); A(uSc, nu); A(uJ, nu); A(pI, np); A(pT, np); A(pB, np); A(pS, np); A(pL, np); A(pP, np); A(pA, np); A(cI, nc); A(cT, nc); A(cR, nc); A(cW, nc); A(cP, nc); uint32_t *order; A(order, nu);
  ht = table(nu, &hm); hh = table(nu, &hhm);
  for (int i = 0; i < nu; i++) { char *s = fu.line[i]; uI[i] = uid(cell(&s)); uH[i] = cell(&s); uE[i] = cell(&s); uN[i] = cell(&s); uC[i] = atoi(cell(&s) + 5); uAge[i] = atoi(cell(&s)); uSc[i] = atof(cell(&s)); uAct[i] = cell(&s)[0] == 't'; uJ[i] = atoll(cell(&s)); uB[i] = cell(&s); uint32_t k = mix(uI[i].a ^ uI[i].b) & hm; while (ht[k] >= 0) k = (k + 1) & hm; ht[k] = i; k = hs(uH[i]) & hhm; while (hh[k] >= 0) k = (k + 1) & hhm; hh[k] = i; order[i] = i; }
  uint32_t pm; int *pt = table(np, &pm);
  for (int i = 0; i < np; i++) { char *s = fp.line[i]; pI[i] = uid(cell(&s)); pT[i] = cell(&s); pB[i] = cell(&s); char *st = cell(&s); pS[i] = st[0] == 'd' ? 0 : st[0] == 'r' ? 1 : st[0] == 'p' ? 2 : 3; pL[i] = atoi(cell(&s)); pP[i] = atoll(cell(&s)); pA[i] = findu(uid(cell(&s))); uint32_t k = mix(pI[i].a ^ pI[i].b) & pm; while (pt[k] >= 0) k = (k + 1) & pm; pt[k] = i; }
  for (int i = 0; i < nc; i++) { char *s = fc.line[i]; cI[i] = uid(cell(&s)); cT[i] = cell(&s); cR[i] = atoi(cell(&s)); cW[i] = atoll(cell(&s)); id128 k = uid(cell(&s)); for (uint32_t x = mix(k.a ^ k.b) & pm;; x = (x + 1) & pm) { int y = pt[x]; if (pI[y].a == k.a && pI[y].b == k.b) { cP[i] = y; break; } } }
  postings(pA, np, nu, &ps, &pl); postings(cP, nc, np, &cs, &cl); qsort(order, nu, sizeof *order, byH); double tb = now() - t; struct rusage ru; getrusage(RUSAGE_SELF, &ru); obuf = malloc(ocap);
  printf("%s users %d posts %d comments %d  read %.1f ms build %.1f ms  peak rss before queries %.0f MB\n", v[1], nu, np, nc, tread, tb, ru.ru_maxrss / 1024.0);
  RUN("point by id", 1000, int u = findu(uI[it % nu]); user(u); S("}"));
  RUN("eq handle (1 row)", 1000, char h[32]; sprintf(h, "user%d", it % nu); int u = findh(h); user(u); S("}"));
  RUN("eq city (2%), scan", 1, int w = it % 50; for (int i = 0; i < nu; i++) if (uC[i] == w) { user(i); S("},"); });
  RUN("range likes>=900, scan", 1, for (int i = 0; i < np; i++) if (pL[i] >= 900) { post(i); S("},"); });
  RUN("range likes>=900, scan, rows only", 1, int k = 0; for (int i = 0; i < np; i++) k += pL[i] >= 900; sink += k);
  RUN("order likes desc limit 50, scan", 1, top50(); for (int i = 0; i < tn; i++) { post(top[i]); S("},"); });
  RUN("default order limit 50", 100, for (int i = 0; i < 50 && i < np; i++) { post(i); S("},"); });
  RUN("order handle limit 50, sorted index", 100, for (int i = 0; i < 50 && i < nu; i++) { user(order[i]); S("},"); });
  RUN("like title %war% limit 50, scan", 1, int k = 0; for (int i = 0; i < np && k < 50; i++) if (strstr(pT[i], "war")) { k++; post(i); S("},"); });
  RUN("like title %war%, all, rows only", 1, int k = 0; for (int i = 0; i < np; i++) k += strstr(pT[i], "war") != 0; sink += k);
  RUN("path: posts of one author handle", 1000, char h[32]; sprintf(h, "user%d", it % nu); int u = findh(h); for (int k = ps[u]; k < ps[u + 1]; k++) { post(pl[k]); S("},"); });
  RUN("nested 100 users", 1, nested(100));
  if (nu >= 1000) RUN("nested 1000 users", 1, nested(1000));
  RUN("1 update in place", 1000, uAge[findu(uI[it % nu])] = 20 + it % 50);
  RUN("live: update + top 50 with author", 1, uAge[findu(uI[it % nu])] = 20 + it % 50; top50(); for (int i = 0; i < tn; i++) { post(top[i]); S(",\"author\":"); user(pA[top[i]]); S("}},"); });
  RUN("copy of one column (users.age)", 1, memcpy(obuf, uAge, sizeof(int32_t) * nu); O = obuf + 4);
  getrusage(RUSAGE_SELF, &ru); printf("peak rss MB %.0f\n", ru.ru_maxrss / 1024.0); return 0;
}
