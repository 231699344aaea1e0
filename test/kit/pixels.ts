// What an image on a page shows.
import type { Locator } from 'playwright-core'

/** The pixels of an <img> that has loaded, as a data URL: two are the same when the pictures are. */
export function pixelsOf(image: Locator): Promise<string> {
  return image.evaluate((element: HTMLImageElement) => {
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
  await image.evaluate((element: HTMLImageElement) => element.decode())
  const first = await pixelsOf(image)
  if (first === 'data:,') throw new Error('the picture has no width')
  const began = performance.now()
  while ((await pixelsOf(image)) === first) {
    if (performance.now() - began > limit) throw new Error(`the picture stood still for ${limit} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return performance.now() - began
}
