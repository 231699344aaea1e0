// Rows about the logs and the profile, of the section about screens.
import { type Row, tested } from './rows.ts'

export const LOG_AND_PROFILE_ROWS: readonly Row[] = [
  tested(
    'The operation log lists what users did.',
    'src/screens/log/list.test.tsx',
    'operations are shown as sentences, refused ones with the reason, newest first and at once'
  ),
  tested(
    'The page of the logs has their retention and the syslog server with its state and a test message.',
    'src/screens/log/log-settings.test.tsx',
    'a syslog server is connected and tested, and when it fails the page says since when and why'
  ),
  tested(
    'The profile changes the own display name.',
    'src/screens/profile/profile.test.tsx',
    'a user changes the own display name, which the top bar then shows'
  ),
  tested(
    'The profile has language and theme of the browser.',
    'src/screens/profile/profile.test.tsx',
    'language and theme are chosen for this browser'
  ),
  tested(
    'The profile ends the other sessions of the user.',
    'src/screens/profile/profile.test.tsx',
    'all other sessions of the user are ended at once'
  )
]
