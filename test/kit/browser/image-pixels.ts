// Reads the pixels of an image in a page.
import type { Locator } from 'playwright-core'

/** Milliseconds that a test waits for an image. Tests of a limit compare the measured time. */
const TIMEOUT = 20_000

/**
 * Returns the pixels of an <img> as a data URL. Equal images have equal URLs. While a live preview loads its next image, the element has
 * no width: the function waits until it has.
 */
export function pixelsOf(image: Locator): Promise<string> {
  return image.evaluate(async (element: HTMLImageElement, timeout) => {
    const deadline = performance.now() + timeout
    for (;;) {
      // `decode` rejects when the source changes. The image drawn in the same task has the width read here.
      const loaded = await element.decode().then(
        () => element.naturalWidth > 0,
        () => false
      )
      if (loaded) break
      if (performance.now() > deadline) throw new Error('The image has no width')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const canvas = document.createElement('canvas')
    canvas.width = element.naturalWidth
    canvas.height = element.naturalHeight
    canvas.getContext('2d')?.drawImage(element, 0, 0)
    return canvas.toDataURL()
  }, TIMEOUT)
}

/** Waits until the image is visible and then changes. @returns milliseconds until the change */
export async function waitForChange(image: Locator, limit = TIMEOUT): Promise<number> {
  await image.waitFor()
  const first = await pixelsOf(image)
  const began = performance.now()
  while ((await pixelsOf(image)) === first) {
    if (performance.now() - began > limit) throw new Error(`The image did not change for ${limit} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return performance.now() - began
}
