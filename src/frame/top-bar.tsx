import { linkTo, type RouteName } from '../paths.ts'
import { navigate } from '../state/location.ts'
import { $dataSaver, toggleDataSaver } from '../state/previews.ts'
import { t } from '../text/language.ts'
import { useStore } from '../ui/use-store.ts'
import { AccountMenu, passwordItem } from './account-menu.tsx'
import { FreshnessLabel } from './freshness-label.tsx'
import { HeaderSearch } from './header-search.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { PaletteButton } from './palette-button.tsx'
import * as TEXT from './text.ts'

/**
 * What the top bar of a hub has.
 * @param highlighted the route whose menu entry is highlighted
 */
export function TopBar({ highlighted }: { highlighted: RouteName | undefined }) {
  const dataSaver = useStore($dataSaver)
  return (
    <>
      <HeaderSearch highlighted={highlighted} />
      <PaletteButton />
      <FreshnessLabel />
      <LanguageMenu />
      <AccountMenu
        items={[
          { label: t(TEXT.profile), icon: 'user', onSelect: () => navigate(linkTo('profile')) },
          passwordItem(),
          { label: t(TEXT.dataSaver), icon: 'eye', multiSelect: true, checked: dataSaver, onSelect: toggleDataSaver }
        ]}
      />
    </>
  )
}
