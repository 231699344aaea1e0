// What the query of a link asks a page to do, such as to open a dialog.
import { useEffect } from 'react'
import { setQuery, useQuery } from '../state/location.ts'

/**
 * Does once what a query value asks for, and takes the value out of the address.
 * @param find returns what the value names; false or undefined while it is unknown, or the user may not do it
 */
export function useQueryRequest<Found>(
  name: string,
  find: (value: string) => Found | false | undefined,
  run: (found: Found) => void
): void {
  const value = useQuery().get(name) ?? ''
  const found = value !== '' && find(value)
  useEffect(() => {
    if (!found) return
    setQuery({ [name]: undefined })
    run(found)
  }, [value, Boolean(found)])
}
