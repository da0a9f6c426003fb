import type { Session } from '@postrider/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { signInText } from '#strings/sign-in.ts';
import { enterSession, sessionKey } from '../lib/session.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CardPage } from '../parts/card-page.tsx';
import { CodeForm, nextPath, PasskeySignIn, PasswordForm, useSignIn } from './sign-in-forms.tsx';

/** The page on which people sign in: with a password and, if the account has one, a second factor. */
export function SignInPage() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const queries = useQueryClient();
  const onSession = (session: Session) => {
    // Somebody else may have been signed in before.
    queries.clear();
    enterSession(session);
    queries.setQueryData(sessionKey, session);
    void navigate(nextPath(params.get('next')), { replace: true });
  };
  const signIn = useSignIn(onSession);
  const title = signIn.needsCode ? signInText.codeTitle : signInText.title;
  return (
    <CardPage title={title} lead={signIn.needsCode ? signInText.codeHelp : signInText.lead}>
      {signIn.error !== null && <ApiProblem error={signIn.error} />}
      {signIn.needsCode ? (
        <CodeForm
          isWrong={signIn.isCodeWrong}
          isRunning={signIn.isRunning}
          onSubmit={signIn.sendCode}
          onBack={signIn.startAgain}
        />
      ) : (
        <>
          <PasswordForm isRunning={signIn.isRunning} onSubmit={signIn.sendPassword} />
          <PasskeySignIn onSession={onSession} />
        </>
      )}
    </CardPage>
  );
}
