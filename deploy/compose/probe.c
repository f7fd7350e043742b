/*
 * probe PORT PATH: succeeds when HTTP on this container replies with 200. The images have no shell and no curl, and a Node process for
 * each check would take more processor time than an idle service.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* "HTTP/1.1 200", to the end of the status. */
#define STATUS_LENGTH 12
#define TIMEOUT_SECONDS 3

int main(int count, char **words) {
  if (count != 3) return 2;
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(words[1]))};
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct timeval timeout = {.tv_sec = TIMEOUT_SECONDS};
  int channel = socket(AF_INET, SOCK_STREAM, 0);
  if (channel < 0) return 1;
  setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  setsockopt(channel, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  if (connect(channel, (struct sockaddr *)&server, sizeof server) != 0) return 1;

  char request[256];
  int length = snprintf(request, sizeof request, "GET %s HTTP/1.0\r\nhost: 127.0.0.1\r\n\r\n", words[2]);
  if (length < 0 || length >= (int)sizeof request) return 2;
  if (send(channel, request, (size_t)length, MSG_NOSIGNAL) != length) return 1;

  char status[STATUS_LENGTH];
  for (size_t got = 0; got < sizeof status;) {
    ssize_t more = read(channel, status + got, sizeof status - got);
    if (more <= 0) return 1;
    got += (size_t)more;
  }
  return memcmp(status, "HTTP/1.", 7) == 0 && memcmp(status + 8, " 200", 4) == 0 ? 0 : 1;
}
