// Firmware of devices: the files, and how they are brought to devices.
import { link } from '../../paths.ts'
import { useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { Files } from './files.tsx'
import { Rollouts } from './rollouts.tsx'
import { TEXT } from './text.ts'

export function FirmwareScreen() {
  const rollouts = useQuery().get('tab') === 'rollouts'
  return (
    <>
      <Tabs
        label={t(TEXT.firmware)}
        tabs={[
          { title: t(TEXT.files), to: link('firmware'), current: !rollouts },
          { title: t(TEXT.rollouts), to: link('firmware', { tab: 'rollouts' }), current: rollouts }
        ]}
      />
      {rollouts ? <Rollouts /> : <Files />}
    </>
  )
}
