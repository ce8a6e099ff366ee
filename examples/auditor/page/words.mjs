// What the page says, in Portuguese and in English. {0}, {1} … are put in.

const RANKS = {
  pt: { 4: "quatro", 5: "cinco", 6: "seis", 7: "sete", Q: "dama", J: "valete", K: "rei", A: "ás", 2: "dois", 3: "três" },
  en: { 4: "four", 5: "five", 6: "six", 7: "seven", Q: "queen", J: "jack", K: "king", A: "ace", 2: "two", 3: "three" },
};
const SUITS = {
  pt: { c: "paus", h: "copas", s: "espadas", d: "ouros" },
  en: { c: "clubs", h: "hearts", s: "spades", d: "diamonds" },
};

export const WORDS = {
  pt: {
    title: "Conferir uma partida", lead: "Abra o registro de uma partida (.trec). Tudo é conferido aqui dentro: nada sai desta página, e ela não usa a rede.",
    choose: "Escolher um registro", drop: "ou solte o arquivo aqui", working: "Conferindo {0}", another: "Conferir outro",
    holds: "Confere", broken: "Não confere", noRecord: "Isto não é o registro de uma partida.", program: "A página falhou com este arquivo: {0}",
    complete: "Completa: todos a selaram.", unsealed: "Não a selaram: {0}. Não prova que não haja outro fim.",
    interrupted: "Interrompida: nada prova depois do último lance, nem quem saiu.",
    wonBy: "{0} ganhou por {1} a {2}", nobody: "Ninguém ganhou: {1} a {2}", stands: "Parou em {1} a {2}",
    who: "Quem se sentou", fingerprint: "chave {0}", runBy: "na máquina de {0}", team: "Dupla {0}",
    course: "O placar", courseName: "O placar mão a mão: dupla A termina com {0}, dupla B com {1}",
    counts: "{0} lances assinados, {1} embaralhamentos, {2} aberturas de carta provadas",
    hand: "Mão {0}", dealt: "{0} deu as cartas", undealt: "antes de sortear quem dá", normal: "", numbers: { 10: "dez", 11: "onze" }, special: "mão de {0}", iron: "mão de ferro", vira: "vira",
    call: "{0} pede {1}", accept: "{0} aceita", run: "{0} corre", fold: "{0} corre da mão", play: "{0} joga a mão", refuse: "{0} recusa a mão",
    leaves: "{0} sai da partida", illegalMove: "{0} faz o que a regra não permite", takes: "{0} leva a vaza", tied: "vaza empatada",
    result: "{0} marca {1}", tie: "ninguém marca", open: "a mão não terminou",
    how: { tricks: "nas vazas", run: "correram do pedido", fold: "correram da mão", refused: "recusaram a mão", forfeit: "pediram onde não podiam", absent: "a outra saiu", illegal: "a outra jogou fora da regra", tie: "" },
    proved: "O que se provou", keys: "{0} de {1} chaves abertas como prometidas", shuffles: "{0} de {1} embaralhamentos provados", tokens: "{0} aberturas provadas", signed: "{0} lances assinados",
    fault: "Aqui a conferência para", faultAt: "Mão {0}, passo {1}", faultSeat: "lugar {0}", agreementFault: "No acordo que todos assinam",
    upTo: "O que vem antes confere; do que vem depois, nada se sabe.", culprit: "A partida acabou aqui: {0} {1}.",
    means: "O que isto quer dizer", meaning: "Para estas chaves, cada regra, assinatura, embaralhamento, abertura e sorteio está certo. Se ao menos uma delas foi usada por alguém independente e honesto, o baralho saiu ao acaso, e ninguém recebeu pelo protocolo uma carta que a regra nega.",
    notTitle: "O que isto não promete", not: ["que cada chave seja outra pessoa", "que ninguém tenha falado por fora ou emprestado a chave", "que um silêncio seja culpa de quem se calou", "que uma partida interrompida ou não selada tenha acabado como diz quem a guarda"],
    table: "Mesa {0}", hidden: "carta coberta", cardName: "{0} de {1}", manilha: "{0}, manilha",
    kinds: {
      malformed: "um valor fora da forma", wrong_version: "um lance de outro protocolo", wrong_table: "um lance de outra mesa",
      bad_signature: "uma assinatura que não vale", bad_head: "um lance que não segue do que vem antes: algo foi tirado, posto, mudado ou movido",
      not_due: "um lance que ninguém esperava", bad_seal: "um selo que diz outra coisa que a partida", bad_trailer: "um fecho que não diz onde esta partida para", incomplete: "o arquivo acaba antes da partida",
      illegal_move: "fez um lance que a regra não permite", bad_opening: "abriu o que não tinha prometido, ou a chave de outro", bad_proof: "embaralhou sem prova que valha", bad_token: "abriu cartas sem prova que valha", not_in_group: "mandou bytes que não são ponto nem número", equivocation: "disse duas coisas no mesmo lugar",
    },
  },
  en: {
    title: "Check a match", lead: "Open the record of a match (.trec). All of it is checked in here: nothing leaves this page, and it uses no network.",
    choose: "Choose a record", drop: "or drop the file here", working: "Checking {0}", another: "Check another",
    holds: "It holds", broken: "It does not hold", noRecord: "This is no record of a match.", program: "The page failed over this file: {0}",
    complete: "Complete: everybody sealed it.", unsealed: "Not sealed by {0}. It does not prove that there is no other end.",
    interrupted: "Interrupted: it proves nothing after its last move, nor who left.",
    wonBy: "{0} won, {1} to {2}", nobody: "Nobody won: {1} to {2}", stands: "It stopped at {1} to {2}",
    who: "Who sat there", fingerprint: "key {0}", runBy: "on {0}'s machine", team: "Team {0}",
    course: "The score", courseName: "The score hand by hand: team A ends with {0}, team B with {1}",
    counts: "{0} signed entries, {1} shuffles, {2} proved tokens",
    hand: "Hand {0}", dealt: "{0} dealt", undealt: "before a dealer was drawn", normal: "", numbers: {}, special: "special hand, at {0}", iron: "iron hand", vira: "vira",
    call: "{0} calls {1}", accept: "{0} accepts", run: "{0} runs", fold: "{0} folds", play: "{0} plays the hand", refuse: "{0} refuses the hand",
    leaves: "{0} leaves the match", illegalMove: "{0} makes a move that the rules do not allow", takes: "{0} takes the trick", tied: "trick tied",
    result: "{0} scores {1}", tie: "nobody scores", open: "the hand did not end",
    how: { tricks: "by tricks", run: "the others ran from the call", fold: "the others folded", refused: "the others refused the hand", forfeit: "the others called where it forfeits", absent: "the others left", illegal: "the others broke a rule", tie: "" },
    proved: "What was proved", keys: "{0} of {1} keys opened as committed", shuffles: "{0} of {1} shuffles proved", tokens: "{0} tokens proved", signed: "{0} entries signed",
    fault: "Here the check stops", faultAt: "Hand {0}, step {1}", faultSeat: "seat {0}", agreementFault: "In the agreement that everybody signs",
    upTo: "What comes before holds; of what comes after nothing is known.", culprit: "The match ended here: {0} {1}.",
    means: "What this means", meaning: "For these keys, every rule, signature, shuffle, token and draw is right. If at least one of them was used by someone independent and honest, the deck was uniform, and nobody got a card through the protocol that the rules deny.",
    notTitle: "What this does not promise", not: ["that each key is another person", "that nobody talked or shared a key", "that a silence was the silent seat's fault", "that an interrupted or unsealed match ended as its holder says"],
    table: "Table {0}", hidden: "card face down", cardName: "{0} of {1}", manilha: "{0}, manilha",
    kinds: {
      malformed: "a value of no shape", wrong_version: "an entry of another protocol", wrong_table: "an entry of another table",
      bad_signature: "a signature that does not hold", bad_head: "an entry that does not follow from what stands before it: something was dropped, added, changed or moved",
      not_due: "an entry that nobody waited for", bad_seal: "a seal that says otherwise than the match", bad_trailer: "a trailer that does not say where this match stops", incomplete: "the file ends before the match does",
      illegal_move: "made a move that the rules do not allow", bad_opening: "opened what was not committed to, or another's key", bad_proof: "shuffled without a proof that holds", bad_token: "opened cards without a proof that holds", not_in_group: "sent bytes that are no point or number", equivocation: "said two things in one place",
    },
  },
};

export const fill = (text, ...values) => text.replace(/\{(\d)\}/g, (_, i) => values[i]);

export function cardName(lang, face) {
  const words = WORDS[lang];
  return face === "x" ? words.hidden : fill(words.cardName, RANKS[lang][face[0]], SUITS[lang][face[1]]);
}
