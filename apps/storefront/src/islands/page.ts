import { awaitContents } from './await-contents.ts'
import { changeBagInTurn } from './bag-in-turn.ts'
import { openDialogs } from './dialogs.ts'
import { saveFiles } from './downloads.ts'
import { readMailLink } from './mail-link.ts'
import { keepSaves } from './saves.ts'
import { improveLists } from './list.ts'
import { keepPagesOffline } from './offline.ts'
import { suggest } from './suggest.ts'
import { keepVisitor } from './visitor.ts'

// Runs on every page. Without it everything works by links and forms; with it parts of a page are replaced in place.
keepVisitor()
changeBagInTurn()
openDialogs()
keepSaves()
readMailLink()
saveFiles()
improveLists()
suggest()
awaitContents()
keepPagesOffline()
