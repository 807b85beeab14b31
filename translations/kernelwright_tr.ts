<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="tr_TR">
<context>
    <name>kw::ApprovalPanel</name>
    <message>
        <source>New text: so far the library&apos;s own operators run</source>
        <translation>Yeni metin: şimdiye dek kitaplığın kendi işlemleri çalışıyor</translation>
    </message>
    <message>
        <source>Against the best that you approved last</source>
        <translation>Son onayladığınız en iyiye göre</translation>
    </message>
    <message>
        <source>Nothing waits for approval</source>
        <translation>Onay bekleyen bir şey yok</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Onayla</translation>
    </message>
    <message>
        <source>Accept Chosen Changes</source>
        <translation>Seçilen Değişiklikleri Kabul Et</translation>
    </message>
    <message>
        <source>Every change is left out: reject it instead</source>
        <translation>Bütün değişiklikler dışarıda bırakıldı: bunun yerine reddedin</translation>
    </message>
    <message>
        <source>It becomes the best for this kernel (Ctrl+Return)</source>
        <translation>Bu çekirdeğin en iyisi olur (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>The chosen changes are built, checked and timed as your own candidate</source>
        <translation>Seçilen değişiklikler sizin adayınız olarak derlenir, denetlenir ve ölçülür</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Reddet</translation>
    </message>
    <message>
        <source>The best stays as it is; your comment goes to whoever proposed this (Ctrl+Backspace)</source>
        <translation>En iyi olduğu gibi kalır; yorumunuz bunu önerene iletilir (Ctrl+Geri Al)</translation>
    </message>
    <message>
        <source>Comment, for the record and for the proposer</source>
        <translation>Yorum: kayıt için ve öneren için</translation>
    </message>
    <message>
        <source>Comment on this change</source>
        <translation>Bu değişiklik için yorum</translation>
    </message>
    <message>
        <source>%1: improvement %2 waits for your approval</source>
        <translation>%1: %2. deneydeki iyileştirme onayınızı bekliyor</translation>
    </message>
    <message numerus="yes">
        <source>it takes the place of %n earlier one(s)</source>
        <translation>
            <numerusform>önceki %n iyileştirmenin yerini alıyor</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting in all</source>
        <translation>
            <numerusform>toplam %n bekleyen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kw::CandidatePanel</name>
    <message>
        <source>Edited. A newer candidate waits until you evaluate or revert.</source>
        <translation>Düzenlendi. Siz değerlendirene ya da geri alana dek daha yeni bir aday bekliyor.</translation>
    </message>
    <message>
        <source>Edited. Evaluate to have it built, checked and timed.</source>
        <translation>Düzenlendi. Derlenmesi, denetlenmesi ve ölçülmesi için değerlendirin.</translation>
    </message>
    <message>
        <source>Build, check and time this text as your own candidate</source>
        <translation>Bu metni kendi adayınız olarak derle, denetle ve ölç</translation>
    </message>
    <message>
        <source>Change the text first: this one is already known</source>
        <translation>Önce metni değiştirin: bu hâli zaten biliniyor</translation>
    </message>
    <message>
        <source>Drop your changes; Undo brings them back</source>
        <translation>Değişikliklerinizi bırakır; Geri Al onları geri getirir</translation>
    </message>
    <message>
        <source>There are no changes of yours to drop</source>
        <translation>Bırakılacak bir değişikliğiniz yok</translation>
    </message>
    <message>
        <source>Follow the search</source>
        <translation>Aramayı izle</translation>
    </message>
    <message>
        <source>Always show the candidate that is being tried</source>
        <translation>Her zaman denenmekte olan adayı göster</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>Değerlendir</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Değişiklikleri Bırak</translation>
    </message>
    <message>
        <source>Text of the candidate</source>
        <translation>Adayın metni</translation>
    </message>
</context>
<context>
    <name>kw::ChartLegend</name>
    <message>
        <source>kept</source>
        <translation>tutuldu</translation>
    </message>
    <message>
        <source>waiting for approval</source>
        <translation>onay bekliyor</translation>
    </message>
    <message>
        <source>measured, not better</source>
        <translation>ölçüldü, daha iyi değil</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>başarısız</translation>
    </message>
    <message>
        <source>library</source>
        <translation>kitaplık</translation>
    </message>
</context>
<context>
    <name>kw::DifferenceView</name>
    <message>
        <source>Change %1 of %2   %3</source>
        <translation>Değişiklik %1 / %2   %3</translation>
    </message>
    <message>
        <source>☐ Change %1 of %2 is left out   %3</source>
        <translation>☐ Değişiklik %1 / %2 dışarıda bırakıldı   %3</translation>
    </message>
    <message>
        <source>☑ Change %1 of %2   %3</source>
        <translation>☑ Değişiklik %1 / %2   %3</translation>
    </message>
    <message>
        <source>The text ends without a line end</source>
        <translation>Metin satır sonu olmadan bitiyor</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopyala</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Tümünü Seç</translation>
    </message>
</context>
<context>
    <name>kw::EvidencePanel</name>
    <message numerus="yes">
        <source>%1, %n thread(s)</source>
        <translation>
            <numerusform>%1, %n iş parçacığı</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>measured without the full sandbox</source>
        <translation>tam korumalı alan olmadan ölçüldü</translation>
    </message>
    <message numerus="yes">
        <source>%n disturbed sample(s) left out</source>
        <translation>
            <numerusform>Bozulmuş %n örnek dışarıda bırakıldı</numerusform>
        </translation>
    </message>
    <message>
        <source>Verdict by stage and case</source>
        <translation>Aşama ve duruma göre karar</translation>
    </message>
    <message>
        <source>Experiment %1: %2</source>
        <translation>%1. deney: %2</translation>
    </message>
    <message>
        <source>Error budget: %1 times the library&apos;s own error, at least %2 ulp.</source>
        <translation>Hata payı: kitaplığın kendi hatasının %1 katı, en az %2 ulp.</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Karşılaştırma</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Sonuç</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Hızlanma</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Süre</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Örnekler</translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n process pair(s)</source>
        <translation>
            <numerusform>%n süreç çiftinde %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Screening</source>
        <translation>Ön eleme</translation>
    </message>
    <message>
        <source>Against the best so far</source>
        <translation>Şimdiye dek en iyiye göre</translation>
    </message>
    <message>
        <source>Fresh confirmation</source>
        <translation>Yeni doğrulama</translation>
    </message>
    <message>
        <source>Against the library</source>
        <translation>Kitaplığa göre</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>Ölçümler</translation>
    </message>
</context>
<context>
    <name>kw::ExperimentModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Of the kernel, against the library&apos;s own operators, with its interval</source>
        <translation>Çekirdeğin, kitaplığın kendi işlemlerine göre, aralığıyla birlikte</translation>
    </message>
    <message>
        <source>Of the whole model, after this experiment</source>
        <translation>Bütün modelin, bu deneyden sonra</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>No.</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Sonuç</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Çekirdek</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Hızlanma</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Model</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Yazan</translation>
    </message>
    <message>
        <source>Hypothesis</source>
        <translation>Varsayım</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Süre</translation>
    </message>
    <message>
        <source>Commit</source>
        <translation>Kayıt</translation>
    </message>
</context>
<context>
    <name>kw::FindBar</name>
    <message>
        <source>Not found</source>
        <translation>Bulunamadı</translation>
    </message>
    <message>
        <source>Find in the text</source>
        <translation>Metinde bul</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>Öncekini bul</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>Sonrakini bul</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>Aramayı kapat</translation>
    </message>
</context>
<context>
    <name>kw::HistoryPanel</name>
    <message>
        <source>Select an experiment first</source>
        <translation>Önce bir deney seçin</translation>
    </message>
    <message>
        <source>Only an experiment that was kept can become the best again</source>
        <translation>Yalnızca tutulmuş bir deney yeniden en iyi olabilir</translation>
    </message>
    <message>
        <source>Make this candidate the best again, as a new entry that can itself be undone</source>
        <translation>Bu adayı yeniden en iyi yapar; bu da geri alınabilen yeni bir kayıttır</translation>
    </message>
    <message>
        <source>Show:</source>
        <translation>Göster:</translation>
    </message>
    <message>
        <source>All experiments</source>
        <translation>Bütün deneyler</translation>
    </message>
    <message>
        <source>Improvements</source>
        <translation>İyileştirmeler</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>Başarısızlar</translation>
    </message>
    <message>
        <source>Which experiments are shown</source>
        <translation>Hangi deneyler gösterilsin</translation>
    </message>
    <message>
        <source>Roll Back to This</source>
        <translation>Buna Geri Dön</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>Deneyler</translation>
    </message>
</context>
<context>
    <name>kw::HotSpotModel</name>
    <message>
        <source>Library operator</source>
        <translation>Kitaplık işlemi</translation>
    </message>
    <message>
        <source>Module: %1</source>
        <translation>Modül: %1</translation>
    </message>
    <message>
        <source>Source: %1, line %2</source>
        <translation>Kaynak: %1, satır %2</translation>
    </message>
    <message numerus="yes">
        <source>Time per run of the model: %1 (%2), %n call(s)</source>
        <translation>
            <numerusform>Modelin her çalışmasındaki süre: %1 (%2), %n çağrı</numerusform>
        </translation>
    </message>
    <message>
        <source>Can be saved: %1 (%2 of its time)</source>
        <translation>Kazanılabilir: %1 (süresinin %2 kadarı)</translation>
    </message>
    <message>
        <source>Floor on this machine: %1</source>
        <translation>Bu makinedeki taban: %1</translation>
    </message>
    <message>
        <source>Allocation: %1</source>
        <translation>Bellek ayırma: %1</translation>
    </message>
    <message>
        <source>Achieved: %1</source>
        <translation>Ulaşılan: %1</translation>
    </message>
    <message>
        <source>The shortest time that this machine&apos;s bandwidth and arithmetic allow</source>
        <translation>Bu makinenin bant genişliği ve hesap gücünün izin verdiği en kısa süre</translation>
    </message>
    <message>
        <source>Hot spot</source>
        <translation>Sıcak nokta</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Süre</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Pay</translation>
    </message>
    <message>
        <source>Can be saved</source>
        <translation>Kazanılabilir</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Hızlanma</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>Taban</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Çağrı</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Durum</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modül</translation>
    </message>
</context>
<context>
    <name>kw::HotSpotsPanel</name>
    <message>
        <source>%1 per run of the model</source>
        <translation>Modelin her çalışması %1</translation>
    </message>
    <message>
        <source>Colour:</source>
        <translation>Renk:</translation>
    </message>
    <message>
        <source>What can be saved</source>
        <translation>Kazanılabilecek kısım</translation>
    </message>
    <message>
        <source>Achieved speed-up</source>
        <translation>Ulaşılan hızlanma</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Durum</translation>
    </message>
    <message>
        <source>What the colours of the treemap say; the area is always time</source>
        <translation>Ağaç haritasının renklerinin anlamı; alan her zaman süredir</translation>
    </message>
    <message>
        <source>Colour of the treemap</source>
        <translation>Ağaç haritasının rengi</translation>
    </message>
    <message>
        <source>Filter hot spots</source>
        <translation>Sıcak noktaları süz</translation>
    </message>
    <message>
        <source>Hot spots as a treemap: the area is time</source>
        <translation>Ağaç haritası olarak sıcak noktalar: alan süredir</translation>
    </message>
    <message>
        <source>Hot spots as a table</source>
        <translation>Tablo olarak sıcak noktalar</translation>
    </message>
    <message>
        <source>%1 per run, about %2 to win (%3)</source>
        <translation>Çalışma başına %1, yaklaşık %2 kazanılabilir (%3)</translation>
    </message>
</context>
<context>
    <name>kw::KernelEditor</name>
    <message>
        <source>Error: %1</source>
        <translation>Hata: %1</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>Uyarı: %1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Geri Al</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Yinele</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Kes</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopyala</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Yapıştır</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Tümünü Seç</translation>
    </message>
</context>
<context>
    <name>kw::LogModel</name>
    <message>
        <source>Trouble</source>
        <translation>Sorun</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Not</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Süre</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Tür</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Ne oldu</translation>
    </message>
</context>
<context>
    <name>kw::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>Günlük</translation>
    </message>
    <message>
        <source>Trouble</source>
        <translation>Sorun</translation>
    </message>
</context>
<context>
    <name>kw::MainWindow</name>
    <message>
        <source>%1: an improvement waits for your approval</source>
        <translation>%1: bir iyileştirme onayınızı bekliyor</translation>
    </message>
    <message>
        <source>Opening the session %1…</source>
        <translation>%1 oturumu açılıyor…</translation>
    </message>
    <message>
        <source>%1 is neither a model (a .pt2 file) nor a session folder.</source>
        <translation>%1 ne bir model (.pt2 dosyası) ne de bir oturum klasörü.</translation>
    </message>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 yok.</translation>
    </message>
    <message>
        <source>Opening the model %1…</source>
        <translation>%1 modeli açılıyor…</translation>
    </message>
    <message>
        <source>Attaching to the run in %1…</source>
        <translation>%1 içindeki çalışmaya bağlanılıyor…</translation>
    </message>
    <message>
        <source>Open Model</source>
        <translation>Model Aç</translation>
    </message>
    <message>
        <source>Exported models (*.pt2)</source>
        <translation>Dışa aktarılmış modeller (*.pt2)</translation>
    </message>
    <message>
        <source>Open Session</source>
        <translation>Oturum Aç</translation>
    </message>
    <message>
        <source>Export to an Empty Folder</source>
        <translation>Boş Bir Klasöre Dışa Aktar</translation>
    </message>
    <message>
        <source>A Run Is Going On</source>
        <translation>Bir Çalışma Sürüyor</translation>
    </message>
    <message>
        <source>The search is still running. It can go on without the window, or it can be stopped. Finished experiments are kept either way.</source>
        <translation>Arama hâlâ sürüyor. Pencere olmadan sürebilir ya da durdurulabilir. Biten deneyler her iki durumda da saklanır.</translation>
    </message>
    <message>
        <source>Keep Running</source>
        <translation>Sürdür</translation>
    </message>
    <message>
        <source>Stop the Run</source>
        <translation>Çalışmayı Durdur</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Dosya</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>Dü&amp;zen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Görünüm</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>Ç&amp;alıştır</translation>
    </message>
    <message>
        <source>H&amp;istory</source>
        <translation>Ge&amp;çmiş</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Yardım</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Tema</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Dil</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>&amp;Son Kullanılanı Aç</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Çalıştırma</translation>
    </message>
    <message>
        <source>Kernelwright</source>
        <translation>Kernelwright</translation>
    </message>
    <message>
        <source>%1 – Kernelwright</source>
        <translation>%1 – Kernelwright</translation>
    </message>
    <message>
        <source>About Kernelwright</source>
        <translation>Kernelwright Hakkında</translation>
    </message>
    <message>
        <source>Kernelwright %1

A workbench for supervised kernel optimisation.
Licence: GPL-3.0-or-later. Emitted kernels and their helper code: MIT-0.</source>
        <translation>Kernelwright %1

Gözetimli çekirdek iyileştirme tezgâhı.
Lisans: GPL-3.0-or-later. Üretilen çekirdekler ve yardımcı kodları: MIT-0.</translation>
    </message>
    <message>
        <source>Open &amp;Model…</source>
        <translation>&amp;Model Aç…</translation>
    </message>
    <message>
        <source>Open a model file and profile it</source>
        <translation>Bir model dosyası aç ve profilini çıkar</translation>
    </message>
    <message>
        <source>Open &amp;Session…</source>
        <translation>&amp;Oturum Aç…</translation>
    </message>
    <message>
        <source>Open a session folder; a run that goes on elsewhere is attached to</source>
        <translation>Bir oturum klasörü aç; başka yerde süren bir çalışmaya bağlanılır</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Dışa Aktar…</translation>
    </message>
    <message>
        <source>Write sources, library, rewritten model, evidence and report to a folder</source>
        <translation>Kaynakları, kitaplığı, yeniden yazılan modeli, kanıtları ve raporu bir klasöre yaz</translation>
    </message>
    <message>
        <source>&amp;Close Session</source>
        <translation>Oturumu &amp;Kapat</translation>
    </message>
    <message>
        <source>Close the session and return to the start page</source>
        <translation>Oturumu kapat ve başlangıç sayfasına dön</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Çık</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Pencereyi kapat</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>&amp;Bul…</translation>
    </message>
    <message>
        <source>Find in the text of the candidate</source>
        <translation>Adayın metninde bul</translation>
    </message>
    <message>
        <source>E&amp;valuate</source>
        <translation>&amp;Değerlendir</translation>
    </message>
    <message>
        <source>Build, check and time the text in the editor as your own candidate</source>
        <translation>Düzenleyicideki metni kendi adayınız olarak derle, denetle ve ölç</translation>
    </message>
    <message>
        <source>&amp;Revert</source>
        <translation>Değişiklikleri Bı&amp;rak</translation>
    </message>
    <message>
        <source>Drop your changes in the editor; Undo brings them back</source>
        <translation>Düzenleyicideki değişikliklerinizi bırakır; Geri Al onları geri getirir</translation>
    </message>
    <message>
        <source>&amp;About Kernelwright</source>
        <translation>Kernelwright &amp;Hakkında</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>Sürüm ve lisans</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Başlat</translation>
    </message>
    <message>
        <source>Start or resume the search</source>
        <translation>Aramayı başlat ya da sürdür</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Duraklat</translation>
    </message>
    <message>
        <source>Pause at the next safe point</source>
        <translation>Bir sonraki güvenli noktada duraklat</translation>
    </message>
    <message>
        <source>S&amp;tep</source>
        <translation>&amp;Adım</translation>
    </message>
    <message>
        <source>Do one experiment, then pause</source>
        <translation>Bir deney yap, sonra duraklat</translation>
    </message>
    <message>
        <source>St&amp;op</source>
        <translation>Du&amp;rdur</translation>
    </message>
    <message>
        <source>Stop at once; the experiment in flight is dropped, finished ones are kept</source>
        <translation>Hemen durdurur; süren deney bırakılır, bitenler saklanır</translation>
    </message>
    <message>
        <source>&amp;Apply to the Model</source>
        <translation>&amp;Modele Uygula</translation>
    </message>
    <message>
        <source>Put the kept kernels into the whole model, compare it and time it</source>
        <translation>Tutulan çekirdekleri bütün modele koy, karşılaştır ve ölç</translation>
    </message>
    <message>
        <source>&amp;Approve</source>
        <translation>&amp;Onayla</translation>
    </message>
    <message>
        <source>Approve the improvement that waits</source>
        <translation>Bekleyen iyileştirmeyi onayla</translation>
    </message>
    <message>
        <source>&amp;Reject</source>
        <translation>&amp;Reddet</translation>
    </message>
    <message>
        <source>Reject the improvement that waits</source>
        <translation>Bekleyen iyileştirmeyi reddet</translation>
    </message>
    <message>
        <source>Roll &amp;Back to the Selected Experiment</source>
        <translation>Seçilen Deneye &amp;Geri Dön</translation>
    </message>
    <message>
        <source>Make the selected kept candidate the best again, as a new entry</source>
        <translation>Seçilen, tutulmuş adayı yeni bir kayıt olarak yeniden en iyi yap</translation>
    </message>
    <message>
        <source>&amp;Previous Change</source>
        <translation>Ö&amp;nceki Değişiklik</translation>
    </message>
    <message>
        <source>Go to the previous change of the difference</source>
        <translation>Farkın önceki değişikliğine git</translation>
    </message>
    <message>
        <source>&amp;Next Change</source>
        <translation>&amp;Sonraki Değişiklik</translation>
    </message>
    <message>
        <source>Go to the next change of the difference</source>
        <translation>Farkın sonraki değişikliğine git</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>Düzeni &amp;Sıfırla</translation>
    </message>
    <message>
        <source>Put every view back where it was at first</source>
        <translation>Her görünümü ilk yerine koy</translation>
    </message>
    <message>
        <source>&amp;Larger Text</source>
        <translation>&amp;Daha Büyük Yazı</translation>
    </message>
    <message>
        <source>Make all text larger</source>
        <translation>Bütün yazıları büyüt</translation>
    </message>
    <message>
        <source>&amp;Smaller Text</source>
        <translation>Daha &amp;Küçük Yazı</translation>
    </message>
    <message>
        <source>Make all text smaller</source>
        <translation>Bütün yazıları küçült</translation>
    </message>
    <message>
        <source>&amp;Normal Text Size</source>
        <translation>&amp;Olağan Yazı Boyutu</translation>
    </message>
    <message>
        <source>Use the system&apos;s text size</source>
        <translation>Sistemin yazı boyutunu kullan</translation>
    </message>
    <message>
        <source>As the &amp;System</source>
        <translation>&amp;Sistem Gibi</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Açık</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Koyu</translation>
    </message>
    <message>
        <source>&amp;High Contrast</source>
        <translation>&amp;Yüksek Karşıtlık</translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation>Pencerenin renkleri</translation>
    </message>
    <message>
        <source>Language of the window</source>
        <translation>Pencerenin dili</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Git: %1</translation>
    </message>
    <message>
        <source>Bring this view to the front and give it the keyboard</source>
        <translation>Bu görünümü öne getirir ve klavyeyi ona verir</translation>
    </message>
    <message>
        <source>Roll Back to the &amp;Library&apos;s Operators</source>
        <translation>&amp;Kitaplığın İşlemlerine Dön</translation>
    </message>
    <message>
        <source>Let the library do the selected kernel again, as a new entry that can itself be undone</source>
        <translation>Seçilen çekirdeği, geri alınabilen yeni bir kayıt olarak, yeniden kitaplığa bırak</translation>
    </message>
</context>
<context>
    <name>kw::Presenter</name>
    <message>
        <source>The profile appears here as soon as the model has been timed.</source>
        <translation>Model ölçülür ölçülmez profil burada görünür.</translation>
    </message>
    <message>
        <source>Open a model to see where its time goes.</source>
        <translation>Süresinin nereye gittiğini görmek için bir model açın.</translation>
    </message>
    <message>
        <source>The problems appear here after the profile.</source>
        <translation>Problemler profilden sonra burada görünür.</translation>
    </message>
    <message>
        <source>Every experiment appears here, kept or not. Start the run with F5.</source>
        <translation>Tutulsun tutulmasın her deney burada görünür. Çalışmayı F5 ile başlatın.</translation>
    </message>
    <message>
        <source>The speed-up of every experiment appears here. Start the run with F5.</source>
        <translation>Her deneyin hızlanması burada görünür. Çalışmayı F5 ile başlatın.</translation>
    </message>
    <message>
        <source>The text of the first candidate appears here when the run starts.</source>
        <translation>Çalışma başlayınca ilk adayın metni burada görünür.</translation>
    </message>
    <message>
        <source>Nothing waits for your approval.</source>
        <translation>Onayınızı bekleyen bir şey yok.</translation>
    </message>
    <message>
        <source>Select an experiment to see how it was checked and timed.</source>
        <translation>Nasıl denetlendiğini ve ölçüldüğünü görmek için bir deney seçin.</translation>
    </message>
    <message>
        <source>Select an experiment to see what it changed.</source>
        <translation>Neyi değiştirdiğini görmek için bir deney seçin.</translation>
    </message>
    <message>
        <source>%1, experiment %2</source>
        <translation>%1, %2. deney</translation>
    </message>
    <message>
        <source>By: %1. Lines that differ from the parent are marked (+%2 −%3).</source>
        <translation>Yazan: %1. Üst adaydan farklı satırlar işaretli (+%2 −%3).</translation>
    </message>
    <message>
        <source>By: %1. The first of its line.</source>
        <translation>Yazan: %1. Soyunun ilki.</translation>
    </message>
    <message>
        <source>Experiment %1 against its parent</source>
        <translation>%1. deney, üst adayına göre</translation>
    </message>
    <message>
        <source>Fetching the improvement…</source>
        <translation>İyileştirme alınıyor…</translation>
    </message>
    <message>
        <source>Whole model, applied and measured: %1</source>
        <translation>Bütün model, uygulandı ve ölçüldü: %1</translation>
    </message>
    <message>
        <source>Whole model, from the kept kernels: %1</source>
        <translation>Bütün model, tutulan çekirdeklerle: %1</translation>
    </message>
    <message>
        <source>Open a session first</source>
        <translation>Önce bir oturum açın</translation>
    </message>
    <message>
        <source>The session&apos;s host has gone: open the session again</source>
        <translation>Oturumun sunucusu kayboldu: oturumu yeniden açın</translation>
    </message>
    <message>
        <source>The session is being opened</source>
        <translation>Oturum açılıyor</translation>
    </message>
    <message>
        <source>The session is read-only</source>
        <translation>Oturum salt okunur</translation>
    </message>
    <message>
        <source>The model is being loaded and profiled first</source>
        <translation>Önce model yükleniyor ve profili çıkarılıyor</translation>
    </message>
    <message>
        <source>It is already running</source>
        <translation>Zaten çalışıyor</translation>
    </message>
    <message>
        <source>Nothing is running</source>
        <translation>Çalışan bir şey yok</translation>
    </message>
    <message>
        <source>It pauses at the next safe point</source>
        <translation>Bir sonraki güvenli noktada duraklayacak</translation>
    </message>
    <message>
        <source>No kernel has been kept yet</source>
        <translation>Henüz hiçbir çekirdek tutulmadı</translation>
    </message>
    <message>
        <source>Pause or stop the run first</source>
        <translation>Önce çalışmayı duraklatın ya da durdurun</translation>
    </message>
    <message>
        <source>No session is open</source>
        <translation>Açık oturum yok</translation>
    </message>
    <message>
        <source>Select a kernel first</source>
        <translation>Önce bir çekirdek seçin</translation>
    </message>
    <message>
        <source>The library&apos;s own operators do it already</source>
        <translation>Onu zaten kitaplığın kendi işlemleri yapıyor</translation>
    </message>
    <message>
        <source>Select an experiment of the history to see its text.</source>
        <translation>Metnini görmek için geçmişten bir deney seçin.</translation>
    </message>
    <message>
        <source>Experiment %1 is the first of its line: all of its text is new</source>
        <translation>%1. deney kendi kolunun ilki: metninin tümü yeni</translation>
    </message>
</context>
<context>
    <name>kw::ProblemsModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>What a good kernel is expected to take</source>
        <translation>İyi bir çekirdeğin alması beklenen süre</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Durum</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Hızlanma</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Süre</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Beklenen</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>Taban</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>Deneyler</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Tutulan</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Çağrı</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Tür</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modül</translation>
    </message>
</context>
<context>
    <name>kw::ProblemsPanel</name>
    <message>
        <source>Select a problem first</source>
        <translation>Önce bir problem seçin</translation>
    </message>
    <message>
        <source>No kernel program covers this problem</source>
        <translation>Bu problemi kapsayan bir çekirdek programı yok</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Sabitlemeyi Kaldır</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Sabitle</translation>
    </message>
    <message>
        <source>Do Not Skip</source>
        <translation>Atlama</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Atla</translation>
    </message>
    <message>
        <source>Work on this problem before all others</source>
        <translation>Bütün ötekilerden önce bu problem üzerinde çalış</translation>
    </message>
    <message>
        <source>Leave this problem alone</source>
        <translation>Bu probleme dokunma</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Problemler</translation>
    </message>
</context>
<context>
    <name>kw::ReviewPanel</name>
    <message>
        <source>The texts are equal</source>
        <translation>Metinler aynı</translation>
    </message>
    <message>
        <source>+%1 −%2 lines</source>
        <translation>+%1 −%2 satır</translation>
    </message>
    <message>
        <source>Leave Out</source>
        <translation>Dışarıda Bırak</translation>
    </message>
    <message>
        <source>Take In</source>
        <translation>İçeri Al</translation>
    </message>
    <message>
        <source>Leaves the current change out of what is accepted, or takes it in again (Space)</source>
        <translation>Geçerli değişikliği kabul edileceklerin dışında bırakır ya da yeniden içeri alır (Boşluk)</translation>
    </message>
    <message>
        <source>Previous change</source>
        <translation>Önceki değişiklik</translation>
    </message>
    <message>
        <source>Previous change (F7)</source>
        <translation>Önceki değişiklik (F7)</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>Sonraki değişiklik</translation>
    </message>
    <message>
        <source>Next change (F8)</source>
        <translation>Sonraki değişiklik (F8)</translation>
    </message>
    <message>
        <source>Difference of the texts</source>
        <translation>Metinlerin farkı</translation>
    </message>
</context>
<context>
    <name>kw::RunBar</name>
    <message>
        <source>No session is open</source>
        <translation>Açık oturum yok</translation>
    </message>
    <message>
        <source>Pausing at the next safe point: %1</source>
        <translation>Bir sonraki güvenli noktada duraklıyor: %1</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>Sonra: %1</translation>
    </message>
    <message>
        <source>%1 of %2 used</source>
        <translation>%2 bütçenin %1 kadarı kullanıldı</translation>
    </message>
    <message>
        <source>%1 used</source>
        <translation>%1 kullanıldı</translation>
    </message>
    <message numerus="yes">
        <source>%n experiment(s)</source>
        <translation>
            <numerusform>%n deney</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>%1 kaldı</translation>
    </message>
    <message>
        <source>The sandbox is incomplete: every record of this session says so.</source>
        <translation>Korumalı alan eksik: bu oturumun her kaydı bunu belirtir.</translation>
    </message>
    <message>
        <source>Read-only: recorded on another machine or by another version, not reproduced here.</source>
        <translation>Salt okunur: başka bir makinede ya da sürümde kaydedildi, burada yinelenmedi.</translation>
    </message>
    <message>
        <source>Progress of what happens now</source>
        <translation>Şu an olanın ilerlemesi</translation>
    </message>
    <message>
        <source>Your approval:</source>
        <translation>Onayınız:</translation>
    </message>
    <message>
        <source>What waits for your approval</source>
        <translation>Onayınızı neler bekler</translation>
    </message>
    <message>
        <source>What has to wait for your approval before it counts</source>
        <translation>Geçerli olmadan önce onayınızı beklemesi gerekenler</translation>
    </message>
</context>
<context>
    <name>kw::SpeedupChart</name>
    <message>
        <source>Experiment</source>
        <translation>Deney</translation>
    </message>
</context>
<context>
    <name>kw::SpeedupPanel</name>
    <message>
        <source>best so far</source>
        <translation>şimdiye dek en iyi</translation>
    </message>
    <message>
        <source>whole model, best so far</source>
        <translation>bütün model, şimdiye dek en iyi</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Show:</source>
        <translation>Göster:</translation>
    </message>
    <message>
        <source>All kernels</source>
        <translation>Bütün çekirdekler</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>Bütün model</translation>
    </message>
    <message>
        <source>What the chart shows</source>
        <translation>Grafiğin gösterdiği</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tablo</translation>
    </message>
    <message>
        <source>Show the same experiments as a table</source>
        <translation>Aynı deneyleri tablo olarak göster</translation>
    </message>
    <message>
        <source>Speed-up per experiment as a chart; the table beside it has the same figures</source>
        <translation>Grafik olarak deney başına hızlanma; yanındaki tabloda aynı sayılar var</translation>
    </message>
    <message>
        <source>Speed-up per experiment as a table</source>
        <translation>Tablo olarak deney başına hızlanma</translation>
    </message>
</context>
<context>
    <name>kw::StartPage</name>
    <message>
        <source>Remove from the List</source>
        <translation>Listeden Çıkar</translation>
    </message>
    <message>
        <source>It is no longer there. The context menu removes it from the list.</source>
        <translation>Artık yerinde değil. Sağ tık menüsü onu listeden çıkarır.</translation>
    </message>
    <message>
        <source>Kernelwright</source>
        <translation>Kernelwright</translation>
    </message>
    <message>
        <source>Open a model that was exported with torch.export (a .pt2 file). Kernelwright profiles it, shows where the time goes, and writes, checks and times faster kernels under your supervision. No experiment runs before you start it, and your model file is never changed.</source>
        <translation>torch.export ile dışa aktarılmış bir model (.pt2 dosyası) açın. Kernelwright profilini çıkarır, sürenin nereye gittiğini gösterir ve sizin gözetiminizde daha hızlı çekirdekler yazar, denetler ve ölçer. Siz başlatmadan hiçbir deney çalışmaz ve model dosyanız asla değişmez.</translation>
    </message>
    <message>
        <source>Open Model…</source>
        <translation>Model Aç…</translation>
    </message>
    <message>
        <source>Open Session…</source>
        <translation>Oturum Aç…</translation>
    </message>
    <message>
        <source>or drop a model file or a session folder onto this window</source>
        <translation>ya da bir model dosyasını veya oturum klasörünü bu pencereye bırakın</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Son Kullanılanlar</translation>
    </message>
    <message>
        <source>Sessions and models that you open appear here.</source>
        <translation>Açtığınız oturumlar ve modeller burada görünür.</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Örnekler</translation>
    </message>
    <message>
        <source>The examples are exported by packaging/run.sh, which has not been run on this computer.</source>
        <translation>Örnekleri packaging/run.sh dışa aktarır; bu bilgisayarda henüz çalıştırılmadı.</translation>
    </message>
    <message>
        <source>Recent sessions and models</source>
        <translation>Son oturumlar ve modeller</translation>
    </message>
    <message>
        <source>Example models</source>
        <translation>Örnek modeller</translation>
    </message>
</context>
<context>
    <name>kw::TreemapView</name>
    <message numerus="yes">
        <source>Other (%n)</source>
        <translation>
            <numerusform>Diğer (%n)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kw::VerdictModel</name>
    <message>
        <source>%1[%2]: expected %3, found %4; error %5, allowed %6, the library&apos;s own %7</source>
        <translation>%1[%2]: beklenen %3, bulunan %4; hata %5, izin verilen %6, kitaplığınki %7</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>Çalıştırılmadı</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>Geçti</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Başarısız</translation>
    </message>
    <message numerus="yes">
        <source>%n case(s), %1</source>
        <translation>
            <numerusform>%n durum, %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>outside KernelBench&apos;s tolerance</source>
        <translation>KernelBench&apos;in toleransının dışında</translation>
    </message>
    <message>
        <source>The largest error found, as a part of what is allowed</source>
        <translation>Bulunan en büyük hata, izin verilene oranla</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Aşama</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Sonuç</translation>
    </message>
    <message>
        <source>Budget used</source>
        <translation>Kullanılan pay</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>Ayrıntı</translation>
    </message>
</context>
<context>
    <name>kw::Views</name>
    <message>
        <source>Hot Spots</source>
        <translation>Sıcak Noktalar</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Problemler</translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation>Aday</translation>
    </message>
    <message>
        <source>Approval</source>
        <translation>Onay</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>İnceleme</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Hızlanma</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Kanıt</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Geçmiş</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Günlük</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Workbench for supervised kernel optimisation.</source>
        <translation>Gözetimli çekirdek iyileştirme tezgâhı.</translation>
    </message>
    <message>
        <source>Models to open (.pt2), or session folders.</source>
        <translation>Açılacak modeller (.pt2) ya da oturum klasörleri.</translation>
    </message>
    <message>
        <source>Keep the session in this folder, or open the one that is there.</source>
        <translation>Oturumu bu klasörde tut ya da oradakini aç.</translation>
    </message>
    <message>
        <source>Attach to the run that goes on in this session folder.</source>
        <translation>Bu oturum klasöründe süren çalışmaya bağlan.</translation>
    </message>
    <message>
        <source>Language: en or tr.</source>
        <translation>Dil: en ya da tr.</translation>
    </message>
    <message>
        <source>Colours: system, light, dark or contrast.</source>
        <translation>Renkler: system, light, dark ya da contrast.</translation>
    </message>
    <message>
        <source>The language is en or tr.</source>
        <translation>Dil en ya da tr olur.</translation>
    </message>
    <message>
        <source>The theme is system, light, dark or contrast.</source>
        <translation>Tema system, light, dark ya da contrast olur.</translation>
    </message>
</context>
</TS>
