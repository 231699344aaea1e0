// Makes a request over a link of a hub, and over another one if that ends before there is a response.
import type { Link } from '../../device-link/link.ts'

/** Links of a hub over which a request is tried. */
const LINKS_TRIED = 3

/**
 * @param chooseLink a link that has not ended; throws LinkError if there is none
 * @param mayRepeat whether the request can be made again
 */
export async function overLinks<Result>(
  chooseLink: () => Link,
  run: (link: Link) => Promise<Result>,
  mayRepeat: () => boolean = () => true
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const link = chooseLink()
    try {
      return await run(link)
    } catch (error) {
      if (!link.hasEnded || attempt === LINKS_TRIED || !mayRepeat()) throw error
    }
  }
}
