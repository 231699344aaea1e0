// Reads the pixels of an image in a page.
import type { Locator } from 'playwright-core'
import { until } from '../until.ts'

/**
 * Returns the pixels of an <img> as a data URL. Equal images have equal URLs. While a live preview loads its next
 * image, the element has no width: the function waits until it has.
 */
export function pixelsOf(image: Locator): Promise<string> {
  const read = async (element: HTMLImageElement) => {
    // `decode` rejects when the source changes. The image drawn in the same task has the width read here.
    await element.decode().catch(() => {})
    if (element.naturalWidth === 0) return undefined
    const canvas = document.createElement('canvas')
    canvas.width = element.naturalWidth
    canvas.height = element.naturalHeight
    canvas.getContext('2d')?.drawImage(element, 0, 0)
    return canvas.toDataURL()
  }
  return until(() => image.evaluate(read), 'the image has a width')
}

/** Waits until the image is visible and then changes. */
export async function waitForChange(image: Locator): Promise<void> {
  await image.waitFor()
  const first = await pixelsOf(image)
  await until(async () => (await pixelsOf(image)) !== first, 'the image changes')
}
