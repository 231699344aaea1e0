// Controls above a list, which a phone shows behind a button, so that the list begins on the first screen.
import { type ReactNode, useState } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import { isAtMost, useScreenSize } from './screen-size.ts'
import * as TEXT from './text.ts'

interface PhoneFoldProps {
  /** Whether it is open at first, because a filter is set. */
  isOpen?: boolean
  children: ReactNode
}

export function PhoneFold({ isOpen = false, children }: PhoneFoldProps) {
  const isPhone = isAtMost('xxs', useScreenSize())
  const [open, setOpen] = useState(isOpen)
  return (
    <>
      {isPhone && (
        <Button
          iconOnly
          icon="settings"
          label={t(TEXT.filtersAndActions)}
          pressed={open}
          onClick={() => setOpen(!open)}
        />
      )}
      {(open || !isPhone) && children}
    </>
  )
}
