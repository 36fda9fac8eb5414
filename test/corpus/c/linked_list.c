// A list built, reversed in place, folded and freed; the links carry no derivative, the values do.
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  double value;
  struct Node *next;
} Node;

static Node *push(Node *rest, double value) {
  Node *node = malloc(sizeof *node);
  if (!node)
    abort();
  node->value = value;
  node->next = rest;
  return node;
}

static Node *reverse(Node *list) {
  Node *done = NULL;
  while (list) {
    Node *rest = list->next;
    list->next = done;
    done = list;
    list = rest;
  }
  return done;
}

double f(const double *x, int n) {
  Node *list = NULL;
  for (int i = 0; i < 10; i++)
    list = push(list, x[i % n] * (1 + i));
  list = reverse(list);
  double horner = 0.0;
  while (list) {
    Node *gone = list;
    horner = 0.5 * horner + list->value * list->value;
    list = list->next;
    free(gone);
  }
  return horner;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
