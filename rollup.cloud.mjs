// Builds the pages of the cloud into dist-cloud/.
import { bundle } from './bundler/bundle.ts'
import { REWORDED } from './src/cloud/reworded.ts'

export default bundle({ input: 'src/cloud/main.tsx', dir: 'dist-cloud', hasHelp: false, reworded: REWORDED })
