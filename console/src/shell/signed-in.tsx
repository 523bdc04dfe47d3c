import { Link } from '@tanstack/react-router';
import { ChevronsUpDown, CircleUserRound, Keyboard, LogOut } from 'lucide-react';
import { useState } from 'react';
import { areLettersOn, turnLetters } from '../browser/keys.ts';
import { Button } from '../components/button.tsx';
import { Checkbox, Select } from '../components/fields.tsx';
import { chooseLanguage, chosenLanguage, languages, t } from '../language/language.ts';
import { PopupButton } from '../overlays/popup-button.tsx';
import { useRights } from '../session/viewer.tsx';
import { askAndSignOut } from './sign-out.tsx';
import { applyTheme, chosenTheme } from './theme.ts';

const themes = [
  { value: 'system', text: t('shell.system') },
  { value: 'light', text: t('shell.light') },
  { value: 'dark', text: t('shell.dark') },
] as const;

const languageOptions = [
  { value: 'browser', text: t('shell.asBrowser') },
  ...(['en', 'de', 'fr', 'es'] as const).map((value) => ({ value, text: languages[value].name })),
] as const;

/** The signed-in user, with their menu. */
export function SignedIn({ openHelp }: { readonly openHelp: () => void }) {
  const { viewer } = useRights();
  const [theme, setTheme] = useState(chosenTheme);
  const [letters, setLetters] = useState(areLettersOn);
  const [expiring, needSignIn] = [viewer.expiringKeys.length, viewer.keysNeedingSignIn.length];
  const name = viewer.name ?? t('shell.token');
  const role = t(`role.${viewer.role ?? 'noRole'}`);
  // The first administrator is called `admin`, too.
  const rights = [role !== name && role, viewer.readOnly && t('shell.readOnly')].filter((text) => text !== false);
  const face = (
    <>
      <CircleUserRound aria-hidden="true" />
      <span className="who">
        <span className="name">{name}</span>
        <span className="role">{rights.join(' · ')}</span>
      </span>
      <ChevronsUpDown aria-hidden="true" />
    </>
  );
  return (
    <section className="user" aria-label={t('shell.signedIn')}>
      {expiring > 0 && (
        <p className="hint">
          <Link to="/access">{t('shell.keysExpire', { count: expiring })}</Link>
        </p>
      )}
      {needSignIn > 0 && (
        <p className="hint">
          <Link to="/access">{t('shell.keysNeedSignIn', { count: needSignIn })}</Link>
        </p>
      )}
      <PopupButton text={t('shell.yourMenu')} face={face} className="button quiet face">
        {(close) => (
          <>
            <p className="hint">{t('shell.signedInAs', { who: [name, ...rights].join(' · ') })}</p>
            <Select
              label={t('shell.colours')}
              value={theme}
              options={themes}
              onChange={(next) => {
                setTheme(next);
                applyTheme(next);
              }}
            />
            <Select
              label={t('shell.language')}
              value={chosenLanguage() ?? 'browser'}
              options={languageOptions}
              onChange={(next) => chooseLanguage(next === 'browser' ? undefined : next)}
            />
            <Checkbox
              isSelected={letters}
              onChange={(on) => {
                setLetters(on);
                turnLetters(on);
              }}
            >
              {t('shell.letters')}
            </Checkbox>
            <Button
              look="quiet"
              onClick={() => {
                close();
                openHelp();
              }}
            >
              <Keyboard aria-hidden="true" />
              {t('shell.shortcuts')}
            </Button>
            <Button
              look="quiet"
              onClick={() => {
                close();
                askAndSignOut();
              }}
            >
              <LogOut aria-hidden="true" />
              {t('shell.signOut')}
            </Button>
          </>
        )}
      </PopupButton>
    </section>
  );
}
