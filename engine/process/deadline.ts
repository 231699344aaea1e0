/** Waits until a promise settles, but no longer than a number of milliseconds. Never rejects. */
export async function withDeadline(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const deadline = Promise.withResolvers<void>()
  const timer = setTimeout(deadline.resolve, milliseconds)
  await Promise.race([promise.catch(() => {}), deadline.promise])
  clearTimeout(timer)
}
