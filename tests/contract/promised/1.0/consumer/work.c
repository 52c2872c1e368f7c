unsigned work(unsigned from) {
  return from * 2654435761u + 1;
}
