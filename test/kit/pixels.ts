// What an image on a page shows.
import type { Locator } from 'playwright-core'

/**
 * The pixels of an <img>, as a data URL: two are the same when the pictures are. An image has no width between a new address and its
 * picture, which live pictures are again and again: such a moment is waited out.
 */
export function pixelsOf(image: Locator): Promise<string> {
  return image.evaluate(async (element: HTMLImageElement) => {
    const patience = performance.now() + 5000
    for (;;) {
      // Refused when the address changes meanwhile. What is drawn in the same task as the answer has its width.
      const loaded = await element.decode().then(
        () => element.naturalWidth > 0,
        () => false
      )
      if (loaded) break
      if (performance.now() > patience) throw new Error('the picture has no width')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const canvas = document.createElement('canvas')
    canvas.width = element.naturalWidth
    canvas.height = element.naturalHeight
    canvas.getContext('2d')?.drawImage(element, 0, 0)
    return canvas.toDataURL()
  })
}

/** Waits for the picture to be there and then to become another. @returns milliseconds from the one to the other */
export async function moves(image: Locator, limit = 5000): Promise<number> {
  await image.waitFor()
  const first = await pixelsOf(image)
  const began = performance.now()
  while ((await pixelsOf(image)) === first) {
    if (performance.now() - began > limit) throw new Error(`the picture stood still for ${limit} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return performance.now() - began
}
