import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Opens a workbook in LibreOffice, edits its rows as text, and saves it as a workbook. Returns the path. */
export async function editWorkbook(path: string, edit: (rows: string) => string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'jobs-'));
  const convert = (file: string, to: string, ...more: readonly string[]): void => {
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const args = [profile, '--headless', ...more, '--convert-to', to, '--outdir', folder, file];
    execFileSync('soffice', args, { stdio: 'ignore' });
  };
  await copyFile(path, join(folder, 'exported.xlsx'));
  // Commas, quotes, UTF-8, every cell as it is and not as it looks.
  convert(join(folder, 'exported.xlsx'), 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false');
  const csv = join(folder, 'exported.csv');
  await writeFile(join(folder, 'edited.csv'), edit(await readFile(csv, 'utf8')));
  convert(
    join(folder, 'edited.csv'),
    'xlsx:Calc MS Excel 2007 XML',
    '--infilter=Text - txt - csv (StarCalc):44,34,76,1',
  );
  return join(folder, 'edited.xlsx');
}
