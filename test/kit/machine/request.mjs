// Sends one HTTP request over a new connection, and prints the response: `node request.mjs URL METHOD COOKIE BODY`. For
// clients in the LAN of a test machine (machine.ts).
const [url, method, cookie, body] = process.argv.slice(2)
try {
  const response = await fetch(url, {
    method,
    headers: { cookie, 'content-type': 'application/json', connection: 'close' },
    ...(method === 'POST' && { body }),
    signal: AbortSignal.timeout(8000)
  })
  console.log(JSON.stringify({ cookies: response.headers.getSetCookie(), body: await response.text() }))
} catch (error) {
  console.log(JSON.stringify({ error: String(error.cause ?? error) }))
}
